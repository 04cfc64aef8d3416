import { platformOperations } from '../../../api/operations/platform';
import { publicOperations } from '../../../api/operations/public';
import { idsIn } from '../../support/responses';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { addStaffMember } from '../../support/staff';
import { seedDeadDeliveries } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { changeDeliveries, type StoredDelivery, updateDelivery } from '../../support/deliveries';
import { startReceiver, type Receiver } from '../../support/receiver';

let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let otherInstitution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
});

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  receiver.received.length = 0;
  [institution, otherInstitution] = await Promise.all([api.institution(), api.institution()]);
});

const asAdmin = (of: TestInstitution) => ({ headers: { 'x-actor': of.adminId } });
const endpoints = (of: TestInstitution, rest = '') => `/institutions/${of.id}/webhook-endpoints${rest}`;
const deliveries = (of: TestInstitution, rest = '') => `/institutions/${of.id}/deliveries${rest}`;
const sql = <Row extends object>(text: string, values: unknown[]) => api.api.domain.database.sql<Row>(text, values);
const change = (id: string, fields: Partial<StoredDelivery>) => updateDelivery(api, id, fields);

/** Who may: the institution's admin, and the platform for it. */
const callers = [
  ['an admin', asAdmin],
  ['the platform', (): object => ({})],
] as const;

it('has every operation of the public API on endpoints and deliveries', () => {
  const portal = new Set(platformOperations.map(({ method, path }) => `${method} ${path}`));
  const expected = publicOperations.flatMap(({ method, path }) => {
    const [, thing = '', rest = ''] = /^\/webhooks\/(endpoints|deliveries)(.*)$/.exec(path) ?? [];
    const names = { endpoints: ['webhook-endpoints', ':endpoint_id'], deliveries: ['deliveries', ':delivery_id'] }[thing] ?? [];
    return names.length === 0 ? [] : [`${method} /institutions/:id/${names[0]}${rest.replace(':id', names[1] ?? '')}`];
  });
  expect(expected).toHaveLength(13);
  expect(expected.filter((operation) => !portal.has(operation))).toEqual([]);
});

describe.each(callers)('%s', (_who, as) => {
  const call = (method: string, path: string, body?: object) => api.platform(method, path, { ...as(institution), ...(body === undefined ? {} : { body }) });

  it('creates, reads, changes, rotates and deletes an endpoint, as the public API shows it', async () => {
    const { data: created } = await call('POST', endpoints(institution), { url: receiver.url, events: ['exam.*'] });
    const { secret, ...shown } = created;
    const publicly = async () => (await api.call('GET', `/webhooks/endpoints/${shown.id}`, { key: institution.apiKey })).data;
    expect(secret).toMatch(/^whsec_/);
    expect([(await call('GET', endpoints(institution, `/${shown.id}`))).data, await publicly()]).toEqual([shown, shown]);
    expect((await call('GET', endpoints(institution))).data).toMatchObject({ items: [shown], total: 1 });
    const { data: paused } = await call('PATCH', endpoints(institution, `/${shown.id}`), { status: 'paused' });
    expect([paused.status, await publicly()]).toEqual(['paused', paused]);
    const { data: rotated } = await call('POST', endpoints(institution, `/${shown.id}/rotate-secret`), { grace_hours: 1 });
    expect(rotated.secret).not.toBe(secret);
    expect((await call('DELETE', endpoints(institution, `/${shown.id}`))).data).toEqual({ id: shown.id, deleted: true });
    expect((await call('GET', endpoints(institution, `/${shown.id}`))).body.error).toBe('not_found');
  });

  it('tests an endpoint', async () => {
    const id = await seedEndpoint(api, institution, receiver.url);
    const { data } = await call('POST', endpoints(institution, `/${id}/test`));
    expect([data.delivered, receiver.received.map(({ headers }) => headers['x-svc-event'])]).toEqual([true, ['ping']]);
  });

  it('replays one delivery, and all that are dead', async () => {
    const endpointId = await seedEndpoint(api, institution, receiver.url);
    const [one = ''] = await seedDeadDeliveries(api, institution, endpointId, 3);
    expect((await call('POST', deliveries(institution, `/${one}/replay`), { ref: 'r-1' })).data).toMatchObject({ id: one, status: 'pending', applied: true });
    expect((await call('POST', deliveries(institution, `/${one}/replay`), { ref: 'r-1' })).data.applied).toBe(false);
    const { data } = await call('POST', endpoints(institution, `/${endpointId}/replay-dead`), { since: '2026-01-01T00:00:00Z' });
    expect(data).toEqual({ workflow_id: expect.stringMatching(/^rpl_/), matched: 2 });
  });

  it('lists and reads deliveries, as the public API shows them', async () => {
    const endpointId = await seedEndpoint(api, institution, receiver.url);
    const [older = '', newer = ''] = await seedDeadDeliveries(api, institution, endpointId, 2);
    await change(older, { status: 'delivered' });
    const { data: publicly } = await api.call('GET', '/webhooks/deliveries', { key: institution.apiKey });
    expect(idsIn(publicly.items)).toEqual([newer, older]);
    expect((await call('GET', deliveries(institution))).data).toEqual(publicly);
    const query = { institution_id: institution.id, status: 'dead', endpoint_id: endpointId };
    expect((await api.platform('GET', '/deliveries', { ...as(institution), query })).data.items).toEqual([publicly.items[0]]);
    expect((await call('GET', deliveries(institution, `/${newer}`))).data).toEqual({ ...publicly.items[0], ended_because: null, attempt_log: [], sent_by: [] });
  });

  it('lists the deliveries that were delivered a minute or more after they were created, or the others', async () => {
    const [waiting = '', late = '', inTime = '', replayed = ''] = await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, receiver.url), 4);
    for (const [id, seconds, cycle] of [[late, 60, 1], [inTime, 59, 1], [replayed, 60, 2]] as const) {
      await changeDeliveries(sql, "SET status = 'delivered', cycle = $3, delivered_at = created_at + $2 * interval '1 second' WHERE id = $1", [id, seconds, cycle]);
    }
    for (const list of [{ path: deliveries(institution), query: {} }, { path: '/deliveries', query: { institution_id: institution.id } }]) {
      const of = async (isLate: string) => idsIn((await api.platform('GET', list.path, { ...as(institution), query: { ...list.query, late: isLate } })).data.items);
      expect([await of('true'), new Set(await of('false'))]).toEqual([[late], new Set([waiting, inTime, replayed])]);
    }
  });

  it('lists the deliveries of an endpoint, deleted or not; an endpoint that the institution never had is not_found', async () => {
    const [own, foreign] = [await seedEndpoint(api, institution, receiver.url, { deletedAt: new Date() }), await seedEndpoint(api, otherInstitution, receiver.url)];
    const [id = ''] = await seedDeadDeliveries(api, institution, own, 1);
    await seedDeadDeliveries(api, otherInstitution, foreign, 1);
    for (const list of [{ path: deliveries(institution), query: {} }, { path: '/deliveries', query: { institution_id: institution.id } }]) {
      const of = (endpoint_id: string) => api.platform('GET', list.path, { ...as(institution), query: { ...list.query, endpoint_id } });
      expect(idsIn((await of(own)).data.items)).toEqual([id]);
      for (const unknown of ['we_unknown', foreign]) {
        const { status, body } = await of(unknown);
        expect([status, body.error, body.message]).toEqual([404, 'not_found', `No such webhook endpoint in this institution: ${unknown}.`]);
      }
    }
  });

  it('has an open delivery attempted at once: its workflow is signalled', async () => {
    const [id = ''] = await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, receiver.url), 1);
    await updateDelivery(api, id, { status: 'retrying', retriedBy: 'workflow', nextAttemptAt: new Date(Date.now() + 3_600_000) });
    const { status, data } = await call('POST', deliveries(institution, `/${id}/retry-now`));
    expect([status, data.id, data.status]).toEqual([200, id, 'retrying']);
    expect(await sql('SELECT kind, name FROM owed_workflows WHERE workflow_id = $1', [id])).toEqual([{ kind: 'signal', name: 'retryNow' }]);
  });

  it('cancels an open delivery', async () => {
    const [id = ''] = await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, receiver.url), 1);
    await change(id, { status: 'pending' });
    expect((await call('POST', deliveries(institution, `/${id}/cancel`))).data).toMatchObject({ id, status: 'cancelled' });
  });

  it.each(['retry-now', 'cancel'])('is refused %s of a delivery that has ended with conflict', async (action) => {
    const [id = ''] = await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, receiver.url), 1);
    const { status, body } = await call('POST', deliveries(institution, `/${id}/${action}`));
    expect([status, body.error]).toEqual([409, 'conflict']);
  });

  it('reaches nothing of another institution under the path of this one', async () => {
    const foreignEndpoint = await seedEndpoint(api, otherInstitution, receiver.url);
    const [foreignDelivery = ''] = await seedDeadDeliveries(api, otherInstitution, foreignEndpoint, 1);
    await change(foreignDelivery, { status: 'pending' });
    const requests: [string, string, object?][] = [
      ['GET', endpoints(institution, `/${foreignEndpoint}`)],
      ['PATCH', endpoints(institution, `/${foreignEndpoint}`), { status: 'paused' }],
      ['DELETE', endpoints(institution, `/${foreignEndpoint}`)],
      ['POST', endpoints(institution, `/${foreignEndpoint}/rotate-secret`), {}],
      ['POST', endpoints(institution, `/${foreignEndpoint}/test`)],
      ['POST', endpoints(institution, `/${foreignEndpoint}/replay-dead`), { since: '2026-01-01T00:00:00Z' }],
      ['GET', deliveries(institution, `/${foreignDelivery}`)],
      ['POST', deliveries(institution, `/${foreignDelivery}/replay`), {}],
      ['POST', deliveries(institution, `/${foreignDelivery}/retry-now`)],
      ['POST', deliveries(institution, `/${foreignDelivery}/cancel`)],
    ];
    for (const [method, path, body] of requests) {
      const { status, body: answer } = await call(method, path, body);
      expect([method, path, status, answer.error]).toEqual([method, path, 404, 'not_found']);
    }
    expect(receiver.received).toEqual([]);
    const { data } = await api.call('GET', `/webhooks/endpoints/${foreignEndpoint}`, { key: otherInstitution.apiKey });
    expect([data.status, data.secret_rotated_at]).toEqual(['active', null]);
    const { data: delivery } = await api.call('GET', `/webhooks/deliveries/${foreignDelivery}`, { key: otherInstitution.apiKey });
    expect(delivery.status).toBe('pending');
  });
});

describe('listing deliveries across the portal', () => {
  it('needs institution_id from the platform', async () => {
    const { status, body } = await api.platform('GET', '/deliveries');
    expect([status, body.error]).toEqual([400, 'institution_required']);
  });

  it('gives an admin their own, and no other institution\'s', async () => {
    await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, receiver.url), 1);
    await seedDeadDeliveries(api, otherInstitution, await seedEndpoint(api, otherInstitution, receiver.url), 2);
    expect((await api.platform('GET', '/deliveries', asAdmin(institution))).data.total).toBe(1);
    const { status, body } = await api.platform('GET', '/deliveries', { ...asAdmin(institution), query: { institution_id: otherInstitution.id } });
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});

it('support staff may pause and resume an endpoint, and change nothing else of it', async () => {
  const sam = await addStaffMember(api);
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  const asSam = (body: object) => api.platform('PATCH', endpoints(institution, `/${id}`), { key: sam.token, body });
  expect((await asSam({ status: 'paused' })).data.status).toBe('paused');
  for (const body of [{ url: 'https://elsewhere.example/in' }, { events: ['*'] }, { status: 'active', url: 'https://elsewhere.example/in' }, { headers: {} }]) {
    const { status, body: answer } = await asSam(body);
    expect([status, answer.error, answer.message]).toEqual([403, 'forbidden', 'The role support may change the status alone.']);
  }
  expect((await asSam({ status: 'active' })).data).toMatchObject({ status: 'active', url: 'https://hooks.north.example/in' });
});
