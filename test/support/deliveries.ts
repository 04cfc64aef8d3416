import type { ErrorClass } from '../../db/repositories/webhooks/attempts';
import type { DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import type { RetriedBy } from '../../db/repositories/webhooks/retries';
import { openStatuses } from '../../domain/webhooks/transitions';
import type { TestApi } from './api';

/** A row of `deliveries`: a property a column. */
export interface StoredDelivery {
  id: string;
  institutionId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  eventCreatedAt: Date;
  status: DeliveryStatus;
  /** Which replay this is: 1 for the first window of 12 hours, one more for each replay. */
  cycle: number;
  /** Attempts made in all cycles together. */
  attempts: number;
  /** Scheduled attempts made in this cycle; `retryNow` does not count here. */
  scheduleStep: number;
  retriedBy: RetriedBy;
  /** Since when it is held; null unless the status is `held`. */
  heldAt: Date | null;
  responseCode: number | null;
  errorClass: ErrorClass | null;
  firstAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  deadlineAt: Date | null;
  deliveredAt: Date | null;
  claimedBy: string | null;
  claimedUntil: Date | null;
  createdAt: Date;
}

/** The tables of deliveries. */
export type DeliveryTable = 'open_deliveries' | 'webhook_deliveries';

/** Where a delivery with a status is. */
export const deliveryTableOf = (status: StoredDelivery['status']): DeliveryTable => (openStatuses.has(status) ? 'open_deliveries' : 'webhook_deliveries');

/** The column of a property. */
export const columnOf = (property: string): string => property.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

const storedColumns = [
  'id', 'institutionId', 'endpointId', 'eventId', 'eventType', 'eventCreatedAt', 'status', 'cycle', 'attempts', 'scheduleStep', 'retriedBy', 'heldAt', 'responseCode', 'errorClass',
  'firstAttemptAt', 'nextAttemptAt', 'deadlineAt', 'deliveredAt', 'claimedBy', 'claimedUntil', 'createdAt',
].map((property) => `${columnOf(property)} AS "${property}"`);

const readDeliveries = (api: TestApi, column: 'id' | 'endpoint_id', value: string): Promise<StoredDelivery[]> =>
  api.api.domain.database.sql(`SELECT ${storedColumns.join()} FROM deliveries WHERE ${column} = $1`, [value]);

/** A delivery as stored in the database. */
export async function storedDelivery(api: TestApi, id: string): Promise<StoredDelivery> {
  const [row] = await readDeliveries(api, 'id', id);
  if (row === undefined) throw new Error(`There is no delivery ${id}`);
  return row;
}

/** The deliveries of an endpoint as stored in the database, by id. */
export async function deliveriesOf(api: TestApi, endpointId: string): Promise<Map<string, StoredDelivery>> {
  const rows = await readDeliveries(api, 'endpoint_id', endpointId);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What has ended goes to the table of ended ones. */
const moveEnded = `WITH moved AS (DELETE FROM open_deliveries WHERE status IN ('delivered', 'dead', 'cancelled') RETURNING *) INSERT INTO webhook_deliveries SELECT * FROM moved`;

/** Changes deliveries in either table, past every rule, by what follows `UPDATE` and the table; those that have ended then are moved. */
export async function changeDeliveries(sql: (text: string, values: unknown[]) => Promise<unknown>, changes: string, values: unknown[] = []): Promise<void> {
  for (const table of ['webhook_deliveries', 'open_deliveries']) await sql(`UPDATE ${table} ${changes}`, values);
  await sql(moveEnded, []);
}

/** Changes columns of a delivery, past every rule; with a status of the other kind it is in the other table. */
export async function updateDelivery(api: TestApi, id: string, fields: Partial<StoredDelivery>): Promise<void> {
  const { status = (await storedDelivery(api, id)).status, ...others } = fields;
  const changed = Object.fromEntries(Object.entries({ ...others, status }).map(([property, value]) => [columnOf(property), value]));
  await api.api.domain.database.sql(
    `WITH gone AS (DELETE FROM open_deliveries WHERE id = $1 RETURNING *), old AS (DELETE FROM webhook_deliveries WHERE id = $1 RETURNING *),
          moved AS (SELECT * FROM gone UNION ALL SELECT * FROM old)
     INSERT INTO ${deliveryTableOf(status)} SELECT (jsonb_populate_record(NULL::webhook_deliveries, to_jsonb(moved) || $2::jsonb)).* FROM moved`,
    [id, JSON.stringify(changed)],
  );
}
