import { statement, type Sql } from '../../statement';

const resourceTable = (prefix: string, table: string, id = 'id'): { prefix: string; owner: ReturnType<typeof statement> } => ({
  prefix,
  owner: statement(
    `support_owner_${table}`,
    `SELECT i.id, i.clock_offset_ms::float8 AS "clockOffsetMs" FROM ${table} r JOIN institutions i ON i.id = r.institution_id WHERE r.${id} = $1`,
  ),
});

/** The tables of resources that are found by their ids alone, and the prefix of their ids. */
const resourceTables = {
  key: resourceTable('key', 'api_keys'),
  license: resourceTable('lic', 'licenses'),
  developer: resourceTable('dev', 'developers', 'user_id'),
  'guardian link': resourceTable('gdn', 'guardian_links'),
  endpoint: resourceTable('we', 'webhook_endpoints'),
  delivery: resourceTable('whd', 'deliveries'),
  event: resourceTable('evt', 'events'),
  'coupon batch': resourceTable('cpb', 'coupon_batches'),
};

/** A kind of resource whose institution is found by its id alone. */
export type ResourceKind = keyof typeof resourceTables;

const byPrefix: ReadonlyMap<string, (typeof resourceTables)[ResourceKind]> = new Map(Object.values(resourceTables).map((one) => [one.prefix, one]));

/** An institution, and how far its clock is ahead, in ms: 0 unless it is a sandbox. */
export interface InstitutionOnClock {
  id: string;
  clockOffsetMs: number;
}

async function read(sql: Sql, { owner }: (typeof resourceTables)[ResourceKind], id: string): Promise<InstitutionOnClock | undefined> {
  const [row] = await sql<InstitutionOnClock>(owner, [id]);
  return row;
}

/** Returns the institution of a resource of this kind, for the platform and for invitation tokens; undefined if there is none. */
export function findInstitutionOf(sql: Sql, kind: ResourceKind, id: string): Promise<InstitutionOnClock | undefined> {
  return read(sql, resourceTables[kind], id);
}

const keyMaker = statement(
  'support_maker_of_key',
  `SELECT m.id, m.clock_offset_ms::float8 AS "clockOffsetMs" FROM api_keys r
     JOIN institutions i ON i.id = r.institution_id JOIN institutions m ON m.id = coalesce(i.sandbox_of, i.id) WHERE r.id = $1`,
);

/** Returns the institution for which a key is made and revoked: of a test key the institution proper, not its sandbox. */
export async function findMakerOfKey(sql: Sql, id: string): Promise<InstitutionOnClock | undefined> {
  const [row] = await sql<InstitutionOnClock>(keyMaker, [id]);
  return row;
}

/** Returns the institution of a resource of any kind, deleted or not; undefined for an unknown id or kind. */
export async function findInstitutionOfAny(sql: Sql, id: string): Promise<string | undefined> {
  const found = byPrefix.get(id.split('_')[0] ?? '');
  return found === undefined ? undefined : (await read(sql, found, id))?.id;
}
