import { appFixture, type SignedInStudent } from '../../../support/appFixture';
import { fullSpec } from '../../../support/codingExams';

const { submit, studentWithAttempt } = appFixture();

const interactions = { total_interactions: 4, models_used: ['local-7b'] };
const coding = {
  kind: 'svccode',
  v: 1,
  tests: { sample: null, hidden: null },
  timing: { started_at: '2026-11-20T09:30:00.000Z', hidden_released_at: null, submitted_at: '2026-11-20T10:30:00.000Z' },
  focus: { lost_count: 2, lost_seconds: 12.5 },
  toolchain: 'python',
  app: { name: 'svccode', version: '2.4.1', platform: 'linux-x64' },
  ...interactions,
};

let sitting: { who: SignedInStudent; attemptId: string };
const issuesOf = async (ai_usage_data: object): Promise<unknown> => (await submit(sitting.who, sitting.attemptId, { ai_usage_data })).body.issues;

describe('what the app of a coding exam reports', () => {
  beforeEach(async () => {
    sitting = await studentWithAttempt({ code_spec: fullSpec });
  });

  it('must have its kind: that is the one problem', async () => {
    const { kind: _kind, ...without } = coding;
    expect(await issuesOf(without)).toEqual([{ path: 'ai_usage_data.kind', message: 'kind is required' }]);
    for (const kind of ['document', 'SVCCODE', null, 1]) {
      expect([kind, await issuesOf({ ...coding, kind })]).toEqual([kind, [{ path: 'ai_usage_data.kind', message: 'kind must be svccode' }]]);
    }
  });

  it('is known for that by any field that only it has', async () => {
    const { total_interactions: _count, models_used: _models, ...own } = coding;
    const fields = Object.keys(own);
    for (const field of fields) {
      const missing = fields.filter((other) => other !== field).map((other) => `ai_usage_data.${other}`).sort();
      const issues = (await issuesOf({ ...interactions, [field]: Reflect.get(own, field) })) as { path: string }[];
      expect([field, issues.map(({ path }) => path).sort()]).toEqual([field, missing]);
    }
  });

  it('says of the fields of a document exam that are missing what a coding exam has', async () => {
    const more = '(of a coding exam also kind, v, tests, timing, focus, toolchain and app)';
    expect(await issuesOf({})).toEqual(['total_interactions', 'models_used'].map((field) => ({ path: `ai_usage_data.${field}`, message: `${field} is required ${more}` })));
  });

  it('is not reported for a document exam', async () => {
    expect(await issuesOf(interactions)).toEqual([{ path: 'ai_usage_data.kind', message: 'kind is required for a coding exam: svccode, with v, tests, timing, focus, toolchain and app' }]);
  });
});

it('of a document exam an unknown field is one, and what is for coding exams says so', async () => {
  sitting = await studentWithAttempt();
  expect(await issuesOf({ ...interactions, note: 'x' })).toEqual([{ path: 'ai_usage_data.note', message: 'note is not a known field' }]);
  expect(await issuesOf(coding)).toEqual([{ path: 'ai_usage_data.kind', message: 'kind is only allowed for coding exams' }]);
});
