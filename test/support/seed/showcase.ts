import { newId } from '../../../domain/ids';
import { endpointPlace } from '../../../domain/webhooks/endpointPlace';
import type { TestApi } from '../api';
import { seedDelivery, seedDeliveryAttempt } from './deliveries';
import { seedEndpoint } from './endpoints';
import { seedEvents } from './events';

const hourMs = 3_600_000;

// Busier by day than by night; one hour without any receiver, and slow responses and failures since this morning.
const monthOfAttempts = `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error)
  SELECT d.id, row_number() OVER (ORDER BY h, n), d.institution_id, d.endpoint_id, 1, now() - h * interval '1 hour' - n * interval '1 second',
         CASE WHEN h < 4 THEN 900 ELSE 60 END + (h * 37 + n * 53) % CASE WHEN h < 4 THEN 2400 ELSE 190 END, 2,
         CASE WHEN failed THEN 503 ELSE 200 END, CASE WHEN failed THEN 'http' END, CASE WHEN failed THEN 'HTTP 503' END
    FROM deliveries d, generate_series(0, 719) h, generate_series(1, (9 + 7 * sin((h + 3) * 2 * pi() / 24) + 3 * sin(h / 50.0))::int) n,
         LATERAL (SELECT h BETWEEN 280 AND 291 OR h < 4 AND (h + n) % 3 < 2 OR (h * 31 + n * 17) % 97 = 0 AS failed) f
   WHERE d.id = $1`;

/** What the console shows of a school whose receiver began to fail: the paths of its pages. */
export interface Showcase {
  institution: string;
  endpoint: string;
  event: string;
}

/** Seeds a school with a month of attempts at one endpoint, and an event that each of its other endpoints did not get for another reason. */
export async function seedShowcase(api: TestApi): Promise<Showcase> {
  const institution = await api.institution();
  const sql = (text: string, values: unknown[]) => api.api.domain.database.sql(text, values);
  await sql("UPDATE institutions SET name = 'Nordschule Hamburg', time_zone = 'Europe/Berlin' WHERE id = $1", [institution.id]);
  const [now, hoursAgo] = [new Date(), (hours: number): Date => new Date(Date.now() - hours * hourMs)];
  const happened = hoursAgo(5);
  const [eventId = '', other = ''] = await seedEvents(api, institution, { createdAt: happened, count: 2 });
  const endpoint = (name: string, fields: Parameters<typeof seedEndpoint>[3] = {}): Promise<string> =>
    seedEndpoint(api, institution, `https://${name}.nord.example/hooks`, { events: ['exam.*'], createdAt: hoursAgo(24 * 40), ...fields });
  const gradesId = newId('we');
  const headersPlace = endpointPlace({ institutionId: institution.id, id: gradesId }, 'headers_sealed');
  const grades = await endpoint('grades', {
    id: gradesId, description: 'Gradebook', rateLimit: 50, headerNames: ['x-gateway-key'], headersSealed: api.api.domain.secrets.seal(JSON.stringify({ 'x-gateway-key': 'k' }), headersPlace), consecutiveFailures: 2, failingSince: hoursAgo(0.2), lastFailureAt: now, lastSuccessAt: hoursAgo(0.3),
  });
  const delivered = await seedDelivery(api, institution, grades, { eventId, status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date(happened.getTime() + 800), createdAt: happened });
  await sql(monthOfAttempts, [delivered]);
  for (const status of ['retrying', 'retrying', 'dead'] as const) await seedDelivery(api, institution, grades, { eventId: status === 'dead' ? other : newId('evt'), status, attempts: 3, responseCode: 503, errorClass: 'http' });
  const sis = await endpoint('sis', { status: 'paused', pausedAt: hoursAgo(6) });
  await seedDelivery(api, institution, sis, { eventId, status: 'held', heldAt: happened, createdAt: happened });
  const reports = await endpoint('reports');
  const retrying = await seedDelivery(api, institution, reports, {
    eventId, status: 'retrying', attempts: 6, responseCode: 503, errorClass: 'http', createdAt: happened, nextAttemptAt: hoursAgo(-0.7), deadlineAt: hoursAgo(-7),
  });
  await seedDeliveryAttempt(api, retrying, { number: 6, startedAt: hoursAgo(0.4), responseCode: 503 });
  await endpoint('archive', { status: 'disabled', disabledReason: 'The receiver responded with 410 Gone.' });
  await endpoint('students', { events: ['student.*'] });
  await endpoint('new', { createdAt: hoursAgo(1) });
  return { institution: `/console/institutions/${institution.id}`, endpoint: `/console/endpoints/${grades}`, event: `/console/events/${eventId}` };
}
