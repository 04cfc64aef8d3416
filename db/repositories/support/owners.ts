import { statement, type Sql } from '../../statement';

const ownerIn = (table: string): ReturnType<typeof statement> => statement(`support_owner_${table}`, `SELECT institution_id FROM ${table} WHERE id = $1`);

/** Where things lie that operators name by their ids alone, by the prefix of those. */
const owners: ReadonlyMap<string, ReturnType<typeof statement>> = new Map([
  ['we', ownerIn('webhook_endpoints')],
  ['whd', ownerIn('webhook_deliveries')],
  ['evt', ownerIn('events')],
  ['cpb', ownerIn('coupon_batches')],
]);

/** The institution of a thing, deleted or not; undefined for one that is not known, or of a kind that is not looked for. */
export async function findOwner(sql: Sql, id: string): Promise<string | undefined> {
  const found = owners.get(id.split('_')[0] ?? '');
  if (found === undefined) return undefined;
  const [row] = await sql<{ institution_id: string }>(found, [id]);
  return row?.institution_id;
}
