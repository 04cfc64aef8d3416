import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { seedEvents } from '../../support/seed/events';
import { openSandboxOf } from '../../support/sandboxes';
import { apiFixture, institutionFor } from '../../support/apiFixture';
import { minutesAgo } from '../../support/time';

const { api, institution, call } = apiFixture();
const other = institutionFor(api, 'test');

const missed = (id: string, query: Record<string, string>, of = institution.id) => api.platform('GET', `/institutions/${of}/webhook-endpoints/${id}/missed-events`, { query });
const since = minutesAgo(60).toISOString();

it('events without a delivery are counted by type, those with one are not, and the oldest 20 are listed', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { events: ['exam.*'], createdAt: minutesAgo(300) });
  const ids = await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 22 });
  await seedDelivery(api, institution, id, { eventId: ids[0] ?? '', status: 'dead' });
  await seedEvents(api, institution, { createdAt: minutesAgo(20), type: 'exam.published' });
  const { status, data } = await missed(id, { since });
  expect([status, data]).toEqual([200, expect.objectContaining({
    matched: 22, complete: true, types: [{ type: 'exam.graded', count: 21 }, { type: 'exam.published', count: 1 }], not_subscribed: [], subscriptions_changed_at: null,
  })]);
  expect(data.first.map((event: { id: string }) => event.id)).toEqual(ids.slice(1, 21));
  expect((await missed(id, { since, event_types: 'exam.published, student.*' })).data).toMatchObject({ matched: 1, counted: ['exam.published'], types: [{ type: 'exam.published', count: 1 }] });
  expect((await missed(id, { since, until: minutesAgo(25).toISOString() })).data).toMatchObject({ matched: 21, types: [{ type: 'exam.graded', count: 21 }] });
});

it('events of types that the endpoint does not subscribe to are counted apart: of given types always, of all only if its subscriptions were changed', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { events: ['exam.graded'], createdAt: minutesAgo(300) });
  await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 3 });
  const until = minutesAgo(1).toISOString();
  expect((await missed(id, { since, until, event_types: 'exam.published' })).data).toMatchObject({ matched: 0, counted: [], types: [], not_subscribed: [], first: [] });
  expect((await missed(id, { since, until, event_types: 'exam.*' })).data).toMatchObject({ matched: 3, not_subscribed: [] });
  await call('PATCH', `/webhooks/endpoints/${id}`, { events: ['exam.published'] });
  const { data } = await missed(id, { since, until });
  expect(data).toMatchObject({ matched: 0, counted: ['exam.published'], not_subscribed: [{ type: 'exam.graded', count: 3 }] });
  expect(Math.abs(Date.parse(data.subscriptions_changed_at) - Date.now())).toBeLessThan(60_000);
  expect((await missed(id, { since, until, event_types: 'exam.graded' })).data).toMatchObject({ matched: 0, counted: [], not_subscribed: [{ type: 'exam.graded', count: 3 }] });
});

it('the change of the subscriptions of an endpoint of a sandbox is given by its clock', async () => {
  const sandbox = await openSandboxOf(api, institution);
  await sandbox.advance(3 * 86_400);
  const id = await seedEndpoint(api, sandbox, 'https://hooks.sandbox.example/in', { events: ['exam.graded'] });
  await sandbox.call('PATCH', `/webhooks/endpoints/${id}`, { events: ['exam.published'] });
  const { data } = await missed(id, { since }, sandbox.id);
  expect(Math.abs(Date.parse(data.subscriptions_changed_at) - (await sandbox.now()).getTime())).toBeLessThan(60_000);
});

it('a type that does not exist is refused, and so is the endpoint of another institution, or a deleted one', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  expect(await missed(id, { since, event_types: 'exam.graded,exams.*' })).toMatchObject({ status: 422, body: { error: 'validation_error' } });
  expect(await missed(id, { since, event_types: ',' })).toMatchObject({ status: 422 });
  expect((await missed(id, { since }, other.id)).status).toBe(404);
  await call('DELETE', `/webhooks/endpoints/${id}`);
  expect((await missed(id, { since })).status).toBe(404);
});
