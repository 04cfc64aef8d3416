import { newId } from '../../../domain/ids';
import { transact } from '../../../domain/transact';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { seedEvents } from '../../support/seed/events';
import { eventually } from '../../support/eventually';
import { apiFixture } from '../../support/apiFixture';
import { minutesAgo } from '../../support/time';

const { api, institution, call, sql } = apiFixture();

/** Commits an event of the type that a test is about, and distributes it as the sender does. */
async function happen(): Promise<string> {
  await transact(api.api.domain, institution.caller, async (tx) => tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' }));
  const [event] = await sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 ORDER BY created_at DESC LIMIT 1', [institution.id]);
  return event?.id ?? '';
}
const distribute = () => sql('DELETE FROM event_queue WHERE institution_id = $1', [institution.id]);

describe('an event', () => {
  const outcomeAt = async (eventId: string, endpointId: string) => {
    const { status, data } = await api.platform('GET', `/events/${eventId}`);
    expect(status).toBe(200);
    return data.endpoints.find(({ endpoint_id }: { endpoint_id: string }) => endpoint_id === endpointId);
  };
  const endpoint = (fields: Parameters<typeof seedEndpoint>[3] = {}) => seedEndpoint(api, institution, 'https://hooks.north.example/in', { events: ['exam.*'], createdAt: minutesAgo(60), ...fields });
  const change = (id: string, body: object) => call('PATCH', `/webhooks/endpoints/${id}`, body);

  it('that waits to be distributed says so', async () => {
    const id = await endpoint();
    expect(await outcomeAt(await happen(), id)).toMatchObject({ outcome: 'queued', delivery_id: null });
  });

  it('names the delivery of each endpoint that was to receive it, and its state', async () => {
    const event = await happen();
    await distribute();
    const cases: [Parameters<typeof seedDelivery>[3], Parameters<typeof seedEndpoint>[3], string][] = [
      [{ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date() }, {}, 'It was accepted with HTTP 200, at attempt 1.'],
      [{ status: 'pending' }, {}, 'Its first attempt is due or being made now.'],
      [{ status: 'retrying', attempts: 2, responseCode: 500, nextAttemptAt: new Date() }, {}, '2 attempts failed, the last one with HTTP 500. The next one is planned.'],
      [{ status: 'held' }, { status: 'paused', pausedAt: minutesAgo(9) }, 'It is held: its endpoint is paused; it is sent when the endpoint is resumed.'],
      [{ status: 'dead', attempts: 12, responseCode: null }, {}, 'It was given up after 12 attempts, the last one without a response.'],
      [{ status: 'cancelled' }, { deletedAt: new Date() }, 'It was cancelled after 0 attempts, because its endpoint was deleted.'],
    ];
    for (const [delivery, fields, reason] of cases) {
      const id = await endpoint(fields);
      const deliveryId = await seedDelivery(api, institution, id, { ...delivery, eventId: event, eventType: 'exam.published' });
      expect(await outcomeAt(event, id)).toMatchObject({ outcome: delivery?.status, reason, delivery_id: deliveryId });
    }
  });

  it('that was delivered late says what was changed in between', async () => {
    const [event = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(120) });
    const id = await endpoint({ createdAt: minutesAgo(600) });
    const { headers: paused } = await change(id, { status: 'paused' });
    const { headers } = await change(id, { status: 'active' });
    await seedDelivery(api, institution, id, { eventId: event, status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date(Date.now() + 1_000) });
    const { reason } = await outcomeAt(event, id);
    const by = ({ headers: of }: { headers: Headers }): string => `by API key “test” ${institution.keyId} \\(request ${of.get('x-request-id') ?? ''}\\)`;
    expect(reason).toMatch(new RegExp(`^It was accepted with HTTP 200, at attempt 1\\. That was 2 h after the event\\. The status of its endpoint was set at \\S+Z ${by({ headers: paused })}, and at \\S+Z ${by({ headers })}: it was held until then\\.$`));
  });

  it('that was delivered late names what paused the endpoint also where that was before the event', async () => {
    const id = await endpoint({ createdAt: minutesAgo(600) });
    const { headers: paused } = await change(id, { status: 'paused' });
    const [event = ''] = await seedEvents(api, institution, { createdAt: new Date() });
    const { headers: resumed } = await change(id, { status: 'active' });
    await seedDelivery(api, institution, id, { eventId: event, status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date(Date.now() + 120_000) });
    const requests = [paused, resumed].map((headers) => headers.get('x-request-id') ?? '');
    expect((await outcomeAt(event, id)).reason).toMatch(new RegExp(`was set at \\S+Z by API key “test” .+ \\(request ${requests.join('\\), and at \\S+Z by API key “test” .+ \\(request ')}\\): it was held until then\\.$`));
  });

  it('that was delivered late says whether a recovery, a replay of dead deliveries or a call sent it, and why it had to', async () => {
    const [event = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(90) });
    const late = { eventId: event, status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date(Date.now() + 1_000) } as const;
    const reasonOf = async (ref: string | undefined, cycle: number, fields: Parameters<typeof seedEndpoint>[3] = {}) => {
      const id = await endpoint({ createdAt: minutesAgo(600), ...fields });
      const delivery = await seedDelivery(api, institution, id, { ...late, cycle });
      if (ref !== undefined) await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, $4, now())', [institution.id, delivery, ref, cycle]);
      const { reason } = await outcomeAt(event, id);
      return reason.replace('It was accepted with HTTP 200, at attempt 1. That was 1 h 30 min after the event. ', '');
    };
    expect([
      await reasonOf('rcv_1', 1), await reasonOf('rcv_2', 1, { createdAt: minutesAgo(10) }), await reasonOf('rcv_3', 1, { events: ['student.*'] }),
      await reasonOf('rpl_1', 2), await reasonOf('round-7', 2), await reasonOf(undefined, 1),
    ]).toEqual([
      'The recovery rcv_1 sent it: its endpoint was disabled when the event happened.',
      'The recovery rcv_2 sent it: its endpoint was created after the event.',
      'The recovery rcv_3 sent it: its endpoint did not receive the event when it happened.',
      'The replay rpl_1 of dead deliveries sent it again.', 'It was replayed.', 'Either it was held before, or its receiver was so slow that it waited, or no worker was running.',
    ]);
  });

  it('names the endpoints with failures first, and last those that were not there', async () => {
    const event = await happen();
    await distribute();
    const [delivered, later, dead] = [await endpoint(), await endpoint({ createdAt: new Date(Date.now() + 60_000) }), await endpoint()];
    await seedDelivery(api, institution, delivered, { eventId: event, status: 'delivered', attempts: 1, deliveredAt: new Date() });
    await seedDelivery(api, institution, dead, { eventId: event, status: 'dead', attempts: 12 });
    const { data } = await api.platform('GET', `/events/${event}`);
    const ids = data.endpoints.map(({ endpoint_id }: { endpoint_id: string }) => endpoint_id);
    expect(ids.filter((id: string) => [delivered, later, dead].includes(id))).toEqual([dead, delivered, later]);
  });

  it('names who cancelled its delivery', async () => {
    const event = await happen();
    await distribute();
    const id = await endpoint();
    const delivery = await seedDelivery(api, institution, id, { eventId: event, status: 'retrying', attempts: 1 });
    const { headers } = await api.platform('POST', `/institutions/${institution.id}/deliveries/${delivery}/cancel`);
    expect((await outcomeAt(event, id)).reason).toBe(`It was cancelled after 1 attempt, by the platform (request ${headers.get('x-request-id') ?? ''}).`);
  });

  it('says when and by whom the subscriptions of an endpoint were changed that did not subscribe to it any more', async () => {
    const id = await endpoint({ events: ['student.*'] });
    const { headers } = await change(id, { events: ['exam.*'] });
    await call('POST', '/students', { full_name: 'Ada Lovelace' });
    const [event] = await sql<{ id: string }>("SELECT id FROM events WHERE institution_id = $1 AND type = 'student.created' ORDER BY created_at DESC LIMIT 1", [institution.id]);
    await distribute();
    const { outcome, reason } = await outcomeAt(event?.id ?? '', id);
    expect([outcome, reason.replace(/at \S+Z/, 'at …')]).toEqual(['not_subscribed', `It does not subscribe to student.created, and its subscriptions were last changed before the event, at … by API key “test” ${institution.keyId} (request ${headers.get('x-request-id') ?? ''}); what they were until then is not stored. It subscribes to exam.*.`]);
  });

  it('names an endpoint that no longer subscribes above those that never did', async () => {
    const [first, changed, last] = [await endpoint({ events: ['student.*'] }), await endpoint({ events: ['exam.*'] }), await endpoint({ events: ['student.*'] })];
    await change(changed, { events: ['student.*'] });
    const event = await happen();
    await distribute();
    const { data } = await api.platform('GET', `/events/${event}`);
    const ids = data.endpoints.map(({ endpoint_id }: { endpoint_id: string }) => endpoint_id).filter((id: string) => [first, changed, last].includes(id));
    expect([ids[0], ids.slice(1).toSorted()]).toEqual([changed, [first, last].toSorted()]);
  });

  it('that an endpoint subscribes to again has no delivery there, and the reason names who changed the subscriptions first since, and last before', async () => {
    const id = await endpoint({ events: ['exam.*'] });
    const before = await change(id, { events: ['student.*'] });
    await eventually('a change that is older than the event by a millisecond', async () => (await sql("SELECT 1 FROM audit_log WHERE request_id = $1 AND at < clock_timestamp() - interval '2 ms'", [before.headers.get('x-request-id')])).length === 1);
    const event = await happen();
    await distribute();
    const since = await change(id, { events: ['exam.*'] });
    const by = ({ headers }: { headers: Headers }): string => `by API key “test” ${institution.keyId} (request ${headers.get('x-request-id') ?? ''})`;
    const { outcome, reason } = await outcomeAt(event, id);
    expect([outcome, reason.replace(/at \S+Z/, 'at …')]).toEqual(['unknown', `It subscribes to exam.published now. Its subscriptions were changed after the event, first ${by(since)}, and before it last at … ${by(before)}; what they were before is not stored, so it either did not subscribe then, or was disabled.`]);
  });

  it('says of an endpoint without a delivery that it was created later, deleted before, not subscribed or disabled', async () => {
    const event = await happen();
    await distribute();
    const later = await endpoint({ createdAt: new Date(Date.now() + 60_000) });
    expect(await outcomeAt(event, later)).toMatchObject({ outcome: 'created_later', reason: 'It was created after the event. An endpoint receives the events since its creation.' });
    const deleted = await endpoint({ deletedAt: minutesAgo(5) });
    expect(await outcomeAt(event, deleted)).toMatchObject({ outcome: 'deleted', reason: 'It was deleted before the event.' });
    const unsubscribed = await endpoint({ events: ['student.*'] });
    expect(await outcomeAt(event, unsubscribed)).toMatchObject({ outcome: 'not_subscribed', reason: 'It does not subscribe to exam.published, and its subscriptions were not changed since the event. It subscribes to student.*.' });
    const disabled = await endpoint({ status: 'disabled', disabledReason: 'answered 410 Gone' });
    const { outcome, reason } = await outcomeAt(event, disabled);
    expect([outcome, reason]).toEqual(['disabled', 'It was disabled when the event happened: a disabled endpoint receives no deliveries, and those that it missed are sent only by a recovery of the endpoint. It is still disabled: answered 410 Gone.']);
    const { headers } = await change(disabled, { status: 'active' });
    expect((await outcomeAt(event, disabled)).reason).toContain(`Its status was set after the event, first by API key “test” ${institution.keyId} (request ${headers.get('x-request-id') ?? ''}).`);
  });

  it('says that it is not certain where the subscriptions were changed since, or the endpoint was deleted', async () => {
    const event = await happen();
    await distribute();
    const added = await endpoint({ events: ['student.*'] });
    await change(added, { events: ['exam.*'] });
    expect(await outcomeAt(event, added)).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('It subscribes to exam.published now. Its subscriptions were changed after the event') });
    const removed = await endpoint();
    await change(removed, { events: ['student.*'] });
    expect(await outcomeAt(event, removed)).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('either did not subscribe then, or was disabled') });
    const deleted = await endpoint({ deletedAt: new Date(Date.now() + 1_000) });
    expect(await outcomeAt(event, deleted)).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('It was deleted after the event') });
  });

  it('that was pruned is known by its deliveries; one that nobody knows is not found', async () => {
    const id = await endpoint();
    const eventId = newId('evt');
    await seedDelivery(api, institution, id, { eventId, status: 'delivered', attempts: 1 });
    const { data } = await api.platform('GET', `/events/${eventId}`);
    expect([data.pruned, data.institution_id, data.type]).toEqual([true, institution.id, 'exam.graded']);
    const { status, body } = await api.platform('GET', `/events/${newId('evt')}`);
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});
