import { statement, type Sql } from '../../statement';

const place = (prefix: string, table: string, id = 'id'): { prefix: string; owner: ReturnType<typeof statement> } => ({
  prefix,
  owner: statement(`support_owner_${table}`, `SELECT institution_id FROM ${table} WHERE ${id} = $1`),
});

/** Where things lie that are named by their ids alone, and the prefix of those. */
const places = {
  key: place('key', 'api_keys'),
  license: place('lic', 'licenses'),
  developer: place('dev', 'developers', 'user_id'),
  'guardian link': place('gdn', 'guardian_links'),
  endpoint: place('we', 'webhook_endpoints'),
  delivery: place('whd', 'webhook_deliveries'),
  event: place('evt', 'events'),
  'coupon batch': place('cpb', 'coupon_batches'),
};

/** A kind of thing whose institution is found by its id alone. */
export type Owned = keyof typeof places;

const byPrefix: ReadonlyMap<string, (typeof places)[Owned]> = new Map(Object.values(places).map((one) => [one.prefix, one]));

async function read(sql: Sql, { owner }: (typeof places)[Owned], id: string): Promise<string | undefined> {
  const [row] = await sql<{ institution_id: string }>(owner, [id]);
  return row?.institution_id;
}

/** The institution of a thing of this kind, whichever it is: for the platform, and for whoever holds the token of an invitation; undefined where there is none. */
export function findInstitutionOf(sql: Sql, kind: Owned, id: string): Promise<string | undefined> {
  return read(sql, places[kind], id);
}

/** The institution of a thing of any kind, deleted or not; undefined for one that is not known, or of a kind that is not looked for. */
export async function findOwner(sql: Sql, id: string): Promise<string | undefined> {
  const found = byPrefix.get(id.split('_')[0] ?? '');
  return found === undefined ? undefined : read(sql, found, id);
}
