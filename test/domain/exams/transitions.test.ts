import type { ExamStatus } from '../../../db/repositories/exams/columns';
import { examTransitions } from '../../../domain/exams/transitions';
import { examChanges } from '../../../api/operations/exams/exams.schemas';
import { idsIn, errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture, type ExamData } from '../../support/apiFixture';
import { seedExamAttempt } from '../../support/seed/submissions';

/** The steps of the specification (section States, Exam): from each state, what leads where. */
const specified: Record<ExamStatus, readonly ExamStatus[]> = { draft: ['published'], published: ['closed'], closed: [] };

/** What an integrator can do to bring an exam to a state. */
const stepTo: Partial<Record<ExamStatus, 'publish' | 'close'>> = { published: 'publish', closed: 'close' };

/** What may still change of a closed exam. */
const changeableWhenClosed = ['title', 'due_date', 'allow_late_submission', 'late_penalty_percentage'];

const spec = { v: 1, brief_md: 'Add', toolchain: 'python', commands: { run: 'python main.py' } };

/** A value for each field of a PATCH that differs from a new exam's. */
const otherValues: Record<string, (others: { teacher: string; group: string }) => unknown> = {
  faculty_id: ({ teacher }) => teacher,
  title: () => 'Geometry',
  exam_type: () => 'quiz',
  max_score: () => 50.5,
  due_date: () => '2099-01-01T00:00:00.000Z',
  time_limit_minutes: () => 45,
  allow_late_submission: () => true,
  late_penalty_percentage: () => 12.5,
  proctoring: () => ({ camera: true, microphone: false, screen: false }),
  ai_policy: () => ({ allowed: true, model_tier: 'local', max_interactions: 3 }),
  code_spec: () => spec,
  group_ids: ({ group }) => [group],
};

const { api, institution, sql, call, createGroup, createStudents, createExamWithStatus, readExam } = apiFixture({ institutionPer: 'file' });
let seeded: { teacher: string; groupId: string; group: string };

beforeAll(async () => {
  const { data: teacher } = await call('POST', '/faculty', { full_name: 'Grace Hopper' });
  seeded = { teacher: teacher.id, groupId: await createGroup(await createStudents(2)), group: await createGroup() };
});

const states: ExamStatus[] = ['draft', 'published', 'closed'];
const fields = Object.keys(examChanges.describe().keys);

/** Everything that is kept of an exam and its assignments. */
const kept = async (id: string): Promise<unknown> => [
  await sql('SELECT to_jsonb(e) AS exam FROM exams e WHERE e.id = $1', [id]),
  await sql('SELECT to_jsonb(a) AS assignment FROM exam_assignments a WHERE a.exam_id = $1 ORDER BY a.group_id', [id]),
  await sql('SELECT to_jsonb(n) AS notice FROM exam_notices n WHERE n.exam_id = $1 ORDER BY n.number', [id]),
];

/** An exam in a state, assigned to one group of two students. */
const assignedExam = (status: ExamStatus): Promise<ExamData> => createExamWithStatus(status, { group_ids: [seeded.groupId] });

/** Runs a call that must be refused as a conflict, and leave exam, assignments, notices and events as they were. */
async function expectConflict(examId: string, method: string, path: string, body?: object): Promise<void> {
  const before = await kept(examId);
  const events = await eventsDuring(api, institution, async () => {
    expect(errorSummary(await call(method, path, body))).toEqual([409, 'conflict']);
  });
  expect([events, await kept(examId)]).toEqual([[], before]);
}

it('the table of the states is the one of the specification', () => {
  expect(examTransitions).toEqual(specified);
});

it('every state but the first is reached by an operation', () => {
  expect(new Set(Object.values(examTransitions).flat())).toEqual(new Set(Object.keys(stepTo)));
});

const steps = states.flatMap((from) =>
  Object.entries(stepTo).map(([to, operation]) => ({
    from,
    to,
    operation,
    outcome: from === to ? 'changes nothing' : specified[from].some((next) => next === to) ? `leads to ${to}` : 'is a conflict',
  })),
);

it('a closed exam that is published is answered with what to do', async () => {
  const { id } = await assignedExam('closed');
  expect((await call('POST', `/exams/${id}/publish`)).body.message).toBe('A closed exam cannot become published: create another exam.');
});

// Contract: exams.states.publish, exams.publish.event, exams.states.close, exams.publish.response, endpoints.close-exam, events.exam-published
describe.each(steps)('$operation', ({ from, to, operation, outcome }) => {
  it(`of a ${from} exam ${outcome}`, async () => {
    const exam = await assignedExam(from);
    const path = `/exams/${exam.id}/${operation}`;
    if (outcome === 'is a conflict') return expectConflict(exam.id, 'POST', path);
    const before = await kept(exam.id);
    const events = await eventsDuring(api, institution, async () => {
      const { status, data } = await call('POST', path);
      expect([status, data.status]).toEqual([200, to]);
      expect(data).toEqual(await readExam(exam.id));
      if (from === to) expect(data).toEqual(exam);
    });
    if (from === to) expect(await kept(exam.id)).toEqual(before);
    const published = [
      { type: 'exam.published', data: { exam_id: exam.id, faculty_id: institution.adminId, app: 'svc' } },
      { type: 'exam.assigned', data: { exam_id: exam.id, group_id: seeded.groupId, student_count: 2 } },
    ];
    expect(events).toEqual(from !== to && to === 'published' ? published : []);
  });
});

it('stamps the moment of its publication and of its closing, and keeps both', async () => {
  const draft = await createExamWithStatus('draft');
  expect([draft.published_at, draft.closed_at]).toEqual([null, null]);
  const { data: published } = await call('POST', `/exams/${draft.id}/publish`);
  expect([published.published_at, published.closed_at]).toEqual([published.updated_at, null]);
  const { data: closed } = await call('POST', `/exams/${draft.id}/close`);
  expect([closed.published_at, closed.closed_at]).toEqual([published.published_at, closed.updated_at]);
  expect(closed.updated_at > published.updated_at && published.updated_at > draft.updated_at).toBe(true);
});

const patches = states.flatMap((status) =>
  fields.map((field) => ({ status, field, outcome: status === 'closed' && !changeableWhenClosed.includes(field) ? 'is a conflict' : 'is accepted' })),
);

// Contract: exams.update.body
describe.each(patches)('a PATCH of $field', ({ status, field, outcome }) => {
  it(`of a ${status} exam ${outcome}`, async () => {
    const exam = await assignedExam(status);
    const value = otherValues[field]?.(seeded);
    expect(value).toBeDefined();
    if (outcome === 'is a conflict') return expectConflict(exam.id, 'PATCH', `/exams/${exam.id}`, { title: 'Geometry', [field]: value });
    const events = await eventsDuring(api, institution, async () => {
      const { status: answered, data } = await call('PATCH', `/exams/${exam.id}`, { [field]: value });
      const shown = field === 'group_ids' ? idsIn(data.groups) : data[field];
      expect([answered, data.status]).toEqual([200, status]);
      expect(shown).toEqual(field === 'code_spec' ? expect.objectContaining({ toolchain: 'python' }) : value);
    });
    const announced = field === 'group_ids' && status === 'published';
    expect(events).toEqual(announced ? [{ type: 'exam.assigned', data: { exam_id: exam.id, group_id: seeded.group, student_count: 0 } }] : []);
  });
});

describe.each(states)('a %s exam', (status) => {
  const closed = status === 'closed';

  it(`is ${closed ? 'assigned to no further group' : status === 'published' ? 'assigned to further groups, with exam.assigned' : 'assigned to further groups without an event'}`, async () => {
    const [exam, { groupId }] = [await assignedExam(status), seeded];
    const further = await createGroup(await createStudents(1));
    const path = `/exams/${exam.id}/assignments`;
    if (closed) return expectConflict(exam.id, 'POST', path, { group_ids: [further] });
    const assigned = { type: 'exam.assigned', data: { exam_id: exam.id, group_id: further, student_count: 1 } };
    const assign = () => eventsDuring(api, institution, async () => {
      const { data } = await call('POST', path, { group_ids: [further, groupId] });
      expect(idsIn(data.items)).toEqual([further, groupId]);
    });
    expect(await assign()).toEqual(status === 'published' ? [assigned] : []);
    const before = await kept(exam.id);
    expect(await assign()).toEqual([]);
    expect(await kept(exam.id)).toEqual(before);
  });

  it(`is ${closed ? 'not taken' : 'taken'} back from a group`, async () => {
    const [exam, { groupId }] = [await assignedExam(status), seeded];
    const path = `/exams/${exam.id}/assignments/${groupId}`;
    if (closed) return expectConflict(exam.id, 'DELETE', path);
    const events = await eventsDuring(api, institution, async () => {
      expect((await call('DELETE', path)).data).toEqual({ id: groupId, deleted: true });
      expect(errorSummary(await call('DELETE', path))).toEqual([404, 'not_found']);
    });
    expect([events, (await readExam(exam.id)).groups]).toEqual([[], []]);
  });

  // Contract: endpoints.delete-exam
  it('is deleted while nobody has attempted it', async () => {
    const exam = await assignedExam(status);
    const events = await eventsDuring(api, institution, async () => {
      expect((await call('DELETE', `/exams/${exam.id}`)).data).toEqual({ id: exam.id, deleted: true });
      expect(errorSummary(await call('DELETE', `/exams/${exam.id}`))).toEqual([404, 'not_found']);
    });
    expect([events, await kept(exam.id)]).toEqual([[], [[], [], []]]);
  });

  it('is not deleted once an attempt has started', async () => {
    const exam = await assignedExam(status);
    const [studentId = ''] = await createStudents(1);
    await seedExamAttempt(api, institution, { examId: exam.id, studentId });
    await expectConflict(exam.id, 'DELETE', `/exams/${exam.id}`);
  });
});
