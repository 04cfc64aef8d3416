import type { OperationRecord } from '../../../api/http/operation';
import { comparesWithClock } from '../../../api/http/request/filters';
import { platformOperations } from '../../../api/operations/platform';
import { apiFixture } from '../../support/apiFixture';
import { exampleBodyOf } from '../../support/operations';
import { openSandboxOf, type TestSandbox } from '../../support/sandboxes';
import { fetchServedDocument, type ServedDocument } from '../../support/servedDocument';
import { addStaffMember } from '../../support/staff';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const daySeconds = 86_400;
const daysAhead = 7;

type Timed = Pick<OperationRecord<never>, 'method' | 'path' | 'request' | 'access'>;
const timed: readonly Timed[] = platformOperations.filter(({ request }) => comparesWithClock(request.query) || comparesWithClock(request.body));
const sourceOf = ({ access }: Timed): unknown => (access.by === 'platform' ? access.institution : undefined);
const isNamed = (record: Timed): boolean => record.path.includes('/institutions/:id') || typeof sourceOf(record) === 'object';

const roles = ['platform', 'operator', 'support'] as const;
type Role = (typeof roles)[number];
const calls = timed.flatMap((record) =>
  roles.flatMap((role) => (record.access.by === 'platform' && record.access.roles.includes(role) ? [[role, `${record.method} ${record.path}`, record] as const] : [])));

let sandbox: TestSandbox;
let endpointId: string;
let served: ServedDocument;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  sandbox = await openSandboxOf(api, institution);
  served = await fetchServedDocument(api.platformUrl);
  endpointId = String((await sandbox.call('POST', '/webhooks/endpoints', { url: 'https://receiver.example/hook', events: ['*'] })).data.id);
  await sandbox.advance(daysAhead * daySeconds);
  for (const role of ['operator', 'support'] as const) tokens.set(role, (await addStaffMember(api, role)).token);
});

/** Calls an operation with a moment that many days ahead of the real time; returns what was found wrong with it. */
async function problemsOf(record: Timed, role: Role, days: number): Promise<unknown[]> {
  const moment = new Date(Date.now() + days * daySeconds * 1_000).toISOString();
  const isBody = comparesWithClock(record.request.body);
  const [name = ''] = Object.keys((isBody ? record.request.body : record.request.query)?.describe().keys ?? {}).filter((field) => /^(updated_)?since$/.test(field));
  const path = record.path.replace(':id', sandbox.id).replace(':endpoint_id', endpointId);
  const { until: _until, ...example } = isBody ? exampleBodyOf(served, record) : {};
  const { body } = await api.platform(record.method, path, {
    ...(tokens.has(role) ? { key: tokens.get(role) } : {}),
    ...(isBody ? { body: { ...example, [name]: moment } } : { query: { [name]: moment, ...(record.path === '/deliveries' ? { institution_id: sandbox.id } : {}) } }),
  });
  return [body.error === 'validation_error', ...(body.issues ?? []).map(({ message }: { message: string }) => message.replace(name, 'since'))];
}

const tooFarAhead = [true, "since must be at most 5 minutes ahead of the service's clock; a sandbox has a clock of its own, GET /v1/sandbox/clock"];

it('every operation of the platform API with a time says whose clock it is compared with', () => {
  expect(timed.length).toBeGreaterThanOrEqual(9);
  expect(timed.filter((record) => !isNamed(record)).map(({ path }) => path)).toEqual(['/audit-log', '/audit-log/export']);
});

it.each(calls.filter(([, , record]) => isNamed(record)))("a time is compared with the named sandbox's clock, for %s as for the platform: %s", async (role, _name, record) => {
  expect(await problemsOf(record, role, daysAhead - 1)).toEqual([false]);
  expect(await problemsOf(record, role, daysAhead + 1)).toEqual(tooFarAhead);
});

it.each(calls.filter(([, , record]) => !isNamed(record)))('a time is compared with the real time where no institution is named, for %s: %s', async (role, _name, record) => {
  expect(await problemsOf(record, role, daysAhead - 1)).toEqual(tooFarAhead);
});
