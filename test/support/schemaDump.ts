import type { Client } from 'pg';

/** What the catalog says of the public schema, a line a thing; TypeORM's own table of migrations, with its `PK_…`, apart. */
const catalogQueries = [
  // Without the position, which a column that was dropped and made again changes.
  `SELECT format('%s %s.%s %s %s %s %s', c.relkind, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                 CASE WHEN a.attnotnull THEN 'NOT NULL' ELSE 'NULL' END, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) AS line
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('%s %s %s', c.relkind, c.relname, c.reloptions) AS line
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind <> 'c'`,
  `SELECT format('view %s: %s', c.relname, pg_get_viewdef(c.oid)) AS line FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'`,
  `SELECT format('index on %s: %s', i.indrelid::regclass, pg_get_indexdef(i.indexrelid)) AS line
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT format('constraint on %s: %s %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS line
     FROM pg_constraint k WHERE k.connamespace = 'public'::regnamespace`,
  `SELECT pg_get_functiondef(p.oid) AS line FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`,
  `SELECT format('trigger on %s: %s', t.tgrelid::regclass, pg_get_triggerdef(t.oid)) AS line
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal`,
  `SELECT format('type %s: %s', t.typname, array_agg(e.enumlabel ORDER BY e.enumsortorder)) AS line
     FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`,
  `SELECT format('extension %s', extname) AS line FROM pg_extension`,
];

/** Everything in the schema, sorted: two databases with the same lines have the same schema. */
export async function dumpSchema(client: Client): Promise<string[]> {
  const lines: string[] = [];
  for (const thing of catalogQueries) {
    const { rows } = await client.query<{ line: string }>(thing);
    lines.push(...rows.map(({ line }) => line));
  }
  return lines.filter((line) => !/\bmigrations(_id_seq)?\b|\bPK_/.test(line)).sort();
}
