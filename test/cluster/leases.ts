import type { Sql } from '../../db/statement';

const isPending = "OLD.status = 'pending' AND NEW.status = 'pending' AND OLD.attempts = NEW.attempts";
/** Another one takes a claim, or it is taken back, although its lease has not ended. */
const isEarly = `OLD.claimed_until > clock_timestamp() AND OLD.claimed_by IS DISTINCT FROM NEW.claimed_by AND (NEW.claimed_by IS NOT NULL OR ${isPending})`;

// The writers have no rights in this schema: the function writes as its owner.
const statements = [
  'CREATE SCHEMA lease_watch',
  'CREATE TABLE lease_watch.early (delivery_id text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(), lease_end timestamptz NOT NULL)',
  `CREATE FUNCTION lease_watch.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
   BEGIN
     INSERT INTO lease_watch.early (delivery_id, lease_end) VALUES (OLD.id, OLD.claimed_until);
     RETURN NULL;
   END $$`,
  ...['open_deliveries', 'webhook_deliveries'].map((table) => `CREATE TRIGGER lease_watch AFTER UPDATE ON ${table} FOR EACH ROW WHEN (${isEarly}) EXECUTE FUNCTION lease_watch.note()`),
];

/** From now on Postgres notes each claim of a delivery that ends before its lease, by its own clock; as the owner of the tables. */
export async function watchLeases(sql: Sql): Promise<void> {
  for (const statement of statements) await sql(statement);
}

/** Ends {@link watchLeases} and forgets what it noted. */
export async function unwatchLeases(sql: Sql): Promise<void> {
  await sql('DROP SCHEMA lease_watch CASCADE');
}

/** How many claims have ended before their lease since a moment; fails unless that is watched. */
export async function countEarlyLeases(sql: Sql, since: Date): Promise<number> {
  const [row] = await sql<{ n: number }>('SELECT count(*)::int AS n FROM lease_watch.early WHERE at >= $1', [since]);
  return row?.n ?? 0;
}
