import { statement, type Sql } from '../../statement';

const resourceTable = (prefix: string, table: string, id = 'id'): { prefix: string; owner: ReturnType<typeof statement> } => ({
  prefix,
  owner: statement(`support_owner_${table}`, `SELECT institution_id FROM ${table} WHERE ${id} = $1`),
});

/** The tables of resources that are found by their ids alone, and the prefix of their ids. */
const resourceTables = {
  key: resourceTable('key', 'api_keys'),
  license: resourceTable('lic', 'licenses'),
  developer: resourceTable('dev', 'developers', 'user_id'),
  'guardian link': resourceTable('gdn', 'guardian_links'),
  endpoint: resourceTable('we', 'webhook_endpoints'),
  delivery: resourceTable('whd', 'webhook_deliveries'),
  event: resourceTable('evt', 'events'),
  'coupon batch': resourceTable('cpb', 'coupon_batches'),
};

/** A kind of resource whose institution is found by its id alone. */
export type ResourceKind = keyof typeof resourceTables;

const byPrefix: ReadonlyMap<string, (typeof resourceTables)[ResourceKind]> = new Map(Object.values(resourceTables).map((one) => [one.prefix, one]));

async function read(sql: Sql, { owner }: (typeof resourceTables)[ResourceKind], id: string): Promise<string | undefined> {
  const [row] = await sql<{ institution_id: string }>(owner, [id]);
  return row?.institution_id;
}

/** Returns the institution of a resource of this kind, for the platform and for invitation tokens; undefined if there is none. */
export function findInstitutionOf(sql: Sql, kind: ResourceKind, id: string): Promise<string | undefined> {
  return read(sql, resourceTables[kind], id);
}

/** Returns the institution of a resource of any kind, deleted or not; undefined for an unknown id or kind. */
export async function findInstitutionOfAny(sql: Sql, id: string): Promise<string | undefined> {
  const found = byPrefix.get(id.split('_')[0] ?? '');
  return found === undefined ? undefined : read(sql, found, id);
}
