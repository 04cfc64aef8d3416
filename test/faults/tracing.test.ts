import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { projectRoot } from '../../local/projectRoot';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { chainOf, startCollector, type CollectedSpan, type Collector } from '../support/collector';
import { eventually } from '../support/eventually';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { startReceiver, type Received, type Receiver } from '../support/receiver';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { installTestRuntime } from '../support/temporalRuntime';

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const personalName = 'Plantagenet Secretive';
const personalEmail = 'planted.reader@mail.example';
const receiversSecret = 'planted-in-the-url';

let collector: Collector;
let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let programs: Programs;
let traced: Program;
let worker: Program;

beforeAll(async () => {
  await installTestRuntime();
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  api = await startTestApi({ webhookTrustedHosts: [receiver.host], logLevel: 'info' });
  programs = openPrograms();
  [traced, worker] = await Promise.all([programs.api(api.settings, collector.environment), programs.worker(api.settings, collector.environment)]);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
  await Promise.all([receiver.close(), collector.close()]);
});

beforeEach(async () => {
  institution = await api.institution();
  receiver.received.length = 0;
});

async function call(method: string, path: string, body?: object, { baseUrl } = traced) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', traceparent: `00-${callersTrace}-00f067aa0ba902b7-01` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  const { data }: any = await response.json();
  return { status: response.status, data, requestId: response.headers.get('x-request-id') ?? '' };
}

const openEndpoint = (events: string[], program = traced) => call('POST', '/webhooks/endpoints', { url: `${receiver.url}/${receiversSecret}?token=${receiversSecret}`, events }, program);

/** The webhook of a type of event, once it has come. */
const webhook = (type: string): Promise<Received> => eventually(`the webhook ${type}`, () => receiver.received.find(({ headers }) => headers['x-svc-event'] === type));

const traceIdOf = ({ headers }: Received): string => String(headers.traceparent).split('-')[1] ?? '';

/** The spans of a trace, once one of this name is among them, and the one that began it. */
const spansWith = (traceId: string, name: string): Promise<CollectedSpan[]> =>
  eventually(`${name} and the call of its trace`, () => {
    const spans = collector.spans(traceId);
    return spans.some((span) => span.name === name) && spans.some(({ parentSpanId }) => !parentSpanId) && spans;
  });

const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`No span ${name}`);
  return found;
};

it("the trace of a bulk call goes on through workflow, activity and event to the receiver's traceparent", async () => {
  await openEndpoint(['student.created']);
  const response = await call('POST', '/students/bulk', { students: [{ full_name: personalName, personal_email: personalEmail }] });
  expect(response.status).toBe(200);
  const received = await webhook('student.created');
  expect(received.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const spans = await spansWith(traceIdOf(received), 'RunWorkflow:bulkProvisioning').then(() => spansWith(traceIdOf(received), 'webhook POST'));
  const attempt = named(spans, 'webhook POST');
  expect(received.headers.traceparent).toContain(attempt.spanId);
  expect(chainOf(spans, attempt)).toEqual([
    'webhook POST', 'transaction', 'RunActivity:provisionChunk', 'RunWorkflow:bulkProvisioning', 'StartWorkflow:bulkProvisioning', 'POST /v1/students/bulk',
  ]);
  expect(named(spans, 'POST /v1/students/bulk')).toMatchObject({
    service: 'institution-api',
    attributes: { 'http.route': '/v1/students/bulk', request_id: response.requestId, institution_id: institution.id },
  });
  expect(attempt).toMatchObject({ service: 'institution-worker', attributes: { 'http.response.status_code': 200, event_type: 'student.created', attempt: 1 } });
});

it('a workflow that ran with a trace replays without the interceptor that passes it on', async () => {
  const { data } = await call('POST', '/students/bulk', { students: [{ full_name: personalName }] });
  expect(data.created).toBe(1);
  const run = await eventually('the run of the workflow', () => collector.spans().find(({ name, attributes }) => name === 'RunWorkflow:bulkProvisioning' && attributes.temporalWorkflowId !== undefined));
  const history = await openTestTemporal(api.settings).client.workflow.getHandle(String(run.attributes.temporalWorkflowId)).fetchHistory();
  expect(Object.keys(history.events?.[0]?.workflowExecutionStartedEventAttributes?.header?.fields ?? {})).toEqual(['_tracer-data']);
  await Worker.runReplayHistory({ workflowsPath: join(projectRoot(), 'workflows', 'index.ts') }, history);
});

it('the trace of a change goes on through its event to the webhook, and on with a later attempt', async () => {
  const { data: student } = await call('POST', '/students', { full_name: personalName });
  receiver.respond = (_received, nth) => (nth === 1 ? 500 : 200);
  await openEndpoint(['student.updated']);
  await call('PATCH', `/students/${student.id}`, { full_name: 'Ada' });
  const traceIds = await eventually('two attempts', () => receiver.received.length > 1 && receiver.received.map(traceIdOf));
  expect(traceIds[1]).toBe(traceIds[0]);
  const spans = await eventually('both spans', () => {
    const found = collector.spans(traceIds[0]);
    return found.filter(({ name }) => name === 'webhook POST').length > 1 && found;
  });
  const attempts = spans.filter(({ name }) => name === 'webhook POST');
  expect(attempts.map(({ isError, attributes }) => [attributes.attempt, attributes['http.response.status_code'], isError])).toEqual([[1, 500, true], [2, 200, false]]);
  for (const attempt of attempts) expect(chainOf(spans, attempt)).toEqual(['webhook POST', 'transaction', 'PATCH /v1/students/{id}']);
});

it('a workflow that the outbox starts belongs to the trace of the call that committed it', async () => {
  const { data: student } = await call('POST', '/students', { full_name: personalName });
  const { requestId } = await call('POST', '/guardians', { student_id: student.id, guardian_email: personalEmail, guardian_type: 'mother', guardian_name: personalName });
  const activity = await eventually('an activity of the invitation', () => collector.spans().find(({ name, attributes }) => name.startsWith('RunActivity:') && String(attributes.temporalWorkflowId).startsWith('gdn_')));
  const spans = await spansWith(activity.traceId, activity.name);
  // The run of the workflow is reported when it ends, in two weeks.
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['POST /v1/guardians', 'transaction', 'StartWorkflow:guardianInvitation']));
  expect(named(spans, 'POST /v1/guardians').attributes.request_id).toBe(requestId);
});

it("a caller's trace is linked, and not continued", async () => {
  const { requestId } = await call('GET', '/students');
  const span = await eventually('the span of the call', () => collector.spans().find(({ attributes }) => attributes.request_id === requestId));
  expect(span.traceId).not.toBe(callersTrace);
  expect(span.links).toMatchObject([{ traceId: callersTrace }]);
  expect(collector.spans(callersTrace)).toEqual([]);
});

it('a log line names the trace of its request', async () => {
  const { requestId } = await call('GET', '/me');
  const span = await eventually('the span of the call', () => collector.spans().find(({ attributes }) => attributes.request_id === requestId));
  const line = await eventually('its log line', () => traced.output().split('\n').find((text) => text.includes(requestId)));
  expect(JSON.parse(line)).toMatchObject({ trace_id: span.traceId, span_id: span.spanId });
});

it('spans have no name, address, key, query, body or URL of a receiver', async () => {
  const { data: student } = await call('POST', '/students', { full_name: personalName, personal_email: personalEmail });
  await openEndpoint(['student.updated']);
  await call('GET', `/students?personal_email=${personalEmail}`);
  await call('GET', `/students/${personalEmail}`);
  await call('PATCH', `/students/${student.id}`, { full_name: `${personalName} II` });
  await call('POST', '/students', { full_name: personalName, personal_email: personalEmail });
  await call('POST', '/students/bulk', { students: [{ full_name: personalName, personal_email: personalEmail }] });
  await spansWith(traceIdOf(await webhook('student.updated')), 'webhook POST');
  const exported = collector.received.map(({ body }) => body).join('\n');
  const secrets = ['Plantagenet', personalEmail, 'personal_email=', receiversSecret, institution.apiKey, 'svc_live', 'INSERT INTO', 'SELECT '];
  expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
  expect(exported.includes('GET /v1/students/{id}')).toBe(true);
});

it('without a collector nothing is recorded, and receivers get no traceparent', async () => {
  expect(await worker.stop()).toMatchObject({ code: 0, signal: null });
  const [plainApi, plainWorker] = await Promise.all([programs.api(api.settings), programs.worker(api.settings)]);
  const { requestId } = await call('GET', '/me', undefined, plainApi);
  await openEndpoint(['student.created'], plainApi);
  await call('POST', '/students/bulk', { students: [{ full_name: personalName }] }, plainApi);
  expect((await webhook('student.created')).headers).not.toHaveProperty('traceparent');
  expect(collector.spans().filter(({ attributes }) => attributes.request_id === requestId)).toEqual([]);
  expect(await api.api.domain.database.sql('SELECT 1 FROM events WHERE institution_id = $1 AND trace_context IS NOT NULL', [institution.id])).toEqual([]);
  // A workflow that began with tracing ends on a worker without.
  await call('POST', '/students/bulk', { students: [{ full_name: personalName }] });
  expect(plainWorker.output()).not.toContain('unregistered external sink');
  await plainWorker.stop();
});

it('a sampler that takes no call records nothing of what it causes either', async () => {
  const environment = { ...collector.environment, OTEL_TRACES_SAMPLER: 'always_off' };
  const [unsampledApi, unsampledWorker] = await Promise.all([programs.api(api.settings, environment), programs.worker(api.settings, environment)]);
  collector.received.length = 0;
  await openEndpoint(['student.created'], unsampledApi);
  await call('POST', '/students/bulk', { students: [{ full_name: personalName }] }, unsampledApi);
  expect((await webhook('student.created')).headers).not.toHaveProperty('traceparent');
  await Promise.all([unsampledApi.stop(), unsampledWorker.stop()]);
  expect(collector.spans().filter(({ attributes }) => attributes.institution_id === institution.id || String(attributes.temporalWorkflowId).startsWith('bulk_'))).toEqual([]);
});

it('a collector that hangs or refuses delays no call and no stop', async () => {
  const hanging = await startCollector();
  hanging.respond = () => new Promise<number>(() => undefined);
  const environment = { ...hanging.environment, OTEL_BSP_MAX_QUEUE_SIZE: '8', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4' };
  for (const variables of [environment, { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }]) {
    const program = await programs.api(api.settings, variables);
    const statuses = await Promise.all(Array.from({ length: 100 }, () => call('GET', '/me', undefined, program).then(({ status }) => status)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    if (variables === environment) await eventually('a batch at the collector', () => hanging.received.length > 0);
    const ended = await program.stop();
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.ms).toBeLessThan(10_000);
  }
  expect(hanging.received.length).toBeLessThan(5);
  await hanging.close();
});
