import type { TestApi } from './api';

/** An attempt as a test tells it; what is left out is that of a receiver that answers 500. */
export interface DeliveryAttemptFields {
  number: number;
  startedAt: Date;
  durationMs: number;
  connectMs: number | null;
  responseCode: number | null;
  errorClass: string | null;
  error: string | null;
  responseBody: string | null;
}

/** Writes an attempt of a delivery as the sender would have. */
export async function seedDeliveryAttempt({ api }: TestApi, deliveryId: string, fields: Partial<DeliveryAttemptFields> = {}): Promise<void> {
  const { number, startedAt, durationMs, connectMs, responseCode, errorClass, error, responseBody } = {
    number: 1, startedAt: new Date(), durationMs: 31, connectMs: 2, responseCode: 500, errorClass: 'http', error: null, responseBody: 'Internal Server Error', ...fields,
  };
  await api.domain.database.sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body)
     SELECT id, $2, institution_id, endpoint_id, cycle, $3, $4, $5, $6, $7, $8, $9 FROM webhook_deliveries WHERE id = $1`,
    [deliveryId, number, startedAt, durationMs, connectMs, responseCode, errorClass, error, responseBody],
  );
}
