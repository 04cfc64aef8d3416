import { commandLine, parseCard, parseTable, type CommandLine } from '../support/commandLine';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { openSandboxOf } from '../support/sandboxes';

let api: TestApi;
let cli: CommandLine;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
});

afterAll(() => api.stop());

it('search says of a bulk call which items failed, why, and whether it may be repeated, without the text of the caller', async () => {
  const students = [{ full_name: 'Ada', 'Eve <eve@mail.example>': 1 }, { license_days: 0 }, { license_days: -1 }];
  const { headers } = await api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students }, headers: { 'idempotency-key': 'import-1' } });
  const { items: [{ target: { created: id } }] } = await cli.json('audit', institution.id, '--request', headers.get('x-request-id') ?? '');
  const { items: [{ bulk }] } = await cli.json('search', id);
  expect(bulk).toEqual({
    created: 0, failed: 3, open: 0, has_idempotency_key: true, repeat: expect.stringMatching(/^yes, with its Idempotency-Key, exactly as it was until [\d-]+T[\d:.]+Z: the school gets the whole answer again, and nobody is created twice; then it sends those that failed alone, in a new call with a new key$/),
    failed_rows: [
      { index: 0, error: 'validation_error', fields: [null], reason: 'validation_error, a field that the service does not know' },
      ...[1, 2].map((index) => ({ index, error: 'validation_error', fields: ['license_days'], reason: 'validation_error, license_days' })),
    ],
    created_rows: [],
  });
  const [, card = '', failed = ''] = (await cli.text('search', id)).split('\n\n');
  expect(parseCard(card)).toEqual({ created: '0', failed: '3', open: '0', has_idempotency_key: 'yes', repeat: bulk.repeat });
  expect(parseTable(failed)).toEqual([['reason', 'item', 'index'], ['validation_error, a field that the service does not know', '1', '0'], ['validation_error, license_days', '2, 3', '1, 2']]);
});

it('search says of a bulk call of which some items failed which students the others are, by their number in the call', async () => {
  const { headers } = await api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: [{ license_days: 0 }, { license_days: 0 }, { license_days: 0 }] } });
  const { items: [{ target: { created: id } }] } = await cli.json('audit', institution.id, '--request', headers.get('x-request-id') ?? '');
  const newStudent = async (): Promise<string> => (await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } })).data.id;
  const [first, third] = [await newStudent(), await newStudent()];
  await api.api.domain.database.sql("UPDATE provisioning_rows SET error = NULL, user_id = CASE index WHEN 0 THEN $2 ELSE $3 END WHERE batch_id = $1 AND index <> 1", [id, first, third]);
  expect((await cli.json('search', id)).items[0].bulk).toMatchObject({ created: 2, failed: 1, created_rows: [{ index: 0, id: first }, { index: 2, id: third }] });
  const [, created = ''] = (await cli.text('search', id)).split('\nCreated:\n');
  expect(parseTable(created)).toEqual([['item', 'id'], ['1', first], ['3', third]]);
});

it('search measures whether a bulk call of a sandbox may be repeated by the real time, as idempotency keys are, not by its clock', async () => {
  const sandbox = await openSandboxOf(api, institution);
  await sandbox.advance(3 * 86_400);
  const { headers } = await api.call('POST', '/students/bulk', { key: sandbox.key, body: { students: [{ license_days: 0 }] }, headers: { 'idempotency-key': 'import-1' } });
  await sandbox.advance(3 * 86_400);
  const { items: [{ target: { created: id } }] } = await cli.json('audit', sandbox.id, '--request', headers.get('x-request-id') ?? '');
  const { items: [{ bulk }] } = await cli.json('search', id);
  const [, until = ''] = /^yes, with its Idempotency-Key, exactly as it was until ([\d-]+T[\d:.]+Z):/.exec(bulk.repeat) ?? [bulk.repeat];
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
});

it('search says that a bulk call without an Idempotency-Key is not to be repeated, and of one of which nothing failed neither', async () => {
  const { headers } = await api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: [{ license_days: 0 }] } });
  const { items: [{ target: { created: id } }] } = await cli.json('audit', institution.id, '--request', headers.get('x-request-id') ?? '');
  expect(await cli.text('search', id)).toContain('no: that would create the others again, those with a student_id unless the school has set unique_student_ids; the school compares its list with GET /v1/students, and it sends those that failed alone, in a new call\n');
  await api.api.domain.database.sql('UPDATE provisioning_rows SET error = NULL, user_id = $2 WHERE batch_id = $1', [id, institution.adminId]);
  expect(await cli.text('search', id)).not.toContain('repeat');
});
