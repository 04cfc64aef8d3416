import { idsOf, errorSummary } from '../../support/responses';
import { eventsDuring, type AppendedEvent } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql, call, readExam, listExams, listAt, createStudents, createExam, createGroup } = apiFixture();
const spec = { v: 1, brief_md: 'Add', toolchain: 'python', commands: { run: 'python main.py' } };

const create = (body: object = {}) => call('POST', '/exams', { faculty_id: institution.adminId, title: 'Algebra', ...body });
const assigned = (exam_id: string, group_id: string, student_count: number): AppendedEvent => ({ type: 'exam.assigned', data: { exam_id, group_id, student_count } });

describe('a new exam', () => {
  // Contract: service.purpose.run-exams, exams.owner.always, exams.fields.id, exams.faculty-id.required-on-create, exams.fields.title
  // Contract: exams.publish.default-true, exams.states.created-published, exams.create.body, exams.create.response
  it('needs owner and title, and takes the defaults for the rest', async () => {
    const { status, data } = await create();
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^exm_[0-9a-z]{26}$/),
      faculty_id: institution.adminId,
      title: 'Algebra',
      exam_type: 'exam',
      status: 'published',
      app: 'svc',
      max_score: 100,
      due_date: null,
      time_limit_minutes: null,
      allow_late_submission: false,
      late_penalty_percentage: 0,
      proctoring: { camera: false, microphone: false, screen: false },
      ai_policy: { allowed: false, model_tier: 'any', max_interactions: null },
      published_at: data.created_at,
      closed_at: null,
      created_at: expect.any(String),
      updated_at: data.created_at,
      code_spec: null,
      groups: [],
      stats: { assigned: 0, started: 0, submitted: 0, graded: 0, average_percentage: null },
      code_secret_set: false,
    });
    expect(await readExam(data.id)).toEqual(data);
    expect(errorSummary(await call('POST', '/exams', {}))).toEqual([422, 'validation_error', ['faculty_id', 'title']]);
  });

  // Contract: exams.fields.max-score, exams.fields.due-date, exams.fields.time-limit-minutes, exams.fields.allow-late-submission
  // Contract: exams.fields.proctoring, exams.fields.ai-policy, exams.ai-policy.allowed, exams.ai-policy.model-tier, exams.create.body
  it('keeps every field that is given', async () => {
    const fields = {
      exam_type: 'homework', max_score: 12.25, due_date: '2099-01-01T00:00:00.000Z', time_limit_minutes: 1440, allow_late_submission: true,
      late_penalty_percentage: 33.33, proctoring: { camera: true, microphone: true, screen: true }, ai_policy: { allowed: true, model_tier: 'cloud', max_interactions: 0 },
    };
    expect((await create(fields)).data).toMatchObject(fields);
    expect((await create({ due_date: '2099-01-01T01:30:00+01:30' })).data.due_date).toBe('2099-01-01T00:00:00.000Z');
  });

  // Contract: exams.fields.proctoring, exams.fields.ai-policy, exams.ai-policy.max-interactions-per-attempt
  it('takes what is left out of proctoring and ai_policy from the institution config', async () => {
    const config = { default_proctoring: { camera: true, microphone: false, screen: true }, default_ai_policy: { allowed: true, model_tier: 'local', max_interactions: 7 } };
    expect((await call('PUT', '/institution/config', config)).status).toBe(200);
    expect((await create()).data).toMatchObject({ proctoring: config.default_proctoring, ai_policy: config.default_ai_policy });
    expect((await create({ proctoring: { camera: false }, ai_policy: { max_interactions: null } })).data).toMatchObject({
      proctoring: { camera: false, microphone: false, screen: true },
      ai_policy: { allowed: true, model_tier: 'local', max_interactions: null },
    });
  });

  it('keeps its settings when the institution config changes', async () => {
    const { data: exam } = await create();
    await call('PUT', '/institution/config', { default_proctoring: { camera: true, microphone: true, screen: true } });
    expect(await readExam(exam.id)).toEqual(exam);
  });

  // Contract: service.purpose.run-exams, exams.code-spec.makes-coding-exam, exams.fields.app
  it('is one of the coding app where it has a code_spec', async () => {
    expect((await create({ code_spec: spec })).data).toMatchObject({ app: 'svccode', code_spec: spec });
    expect((await create({ code_spec: null })).data).toMatchObject({ app: 'svc', code_spec: null });
  });

  // Contract: exams.fields.exam-type, exams.fields.max-score, exams.fields.due-date, exams.fields.time-limit-minutes
  // Contract: exams.fields.allow-late-submission
  it.each([
    ['max_score', [0, -1, 100_000.01, 1.234, '5', null]],
    ['late_penalty_percentage', [-0.01, 100.01, 0.001, null]],
    ['time_limit_minutes', [0, 1441, 1.5]],
    ['title', ['', ' ', 'x'.repeat(301), 'two\nlines', null]],
    ['exam_type', ['test', null]],
    ['due_date', ['2099-01-01', '2099-01-01T00:00:00', '2099-02-30T00:00:00Z', 5]],
    ['allow_late_submission', ['true', null]],
    ['publish', ['no', null]],
    ['status', ['draft']],
    ['app', ['svc']],
    ['group_ids', ['grp_x', null]],
  ])('refuses a wrong %s, naming it, and is not made', async (field, values) => {
    for (const value of values) expect(errorSummary(await create({ [field]: value }))).toEqual([422, 'validation_error', [field]]);
    expect((await listExams()).data.total).toBe(0);
  });

  // Contract: exams.fields.exam-type
  it.each(['exam', 'homework', 'assignment', 'quiz', 'project'])('may be one of the type %s', async (exam_type) => {
    expect((await create({ exam_type })).data.exam_type).toBe(exam_type);
  });

  it('takes the ends of every range', async () => {
    for (const fields of [{ max_score: 0.01 }, { max_score: 100_000 }, { late_penalty_percentage: 100 }, { time_limit_minutes: 1 }]) {
      expect((await create(fields)).data).toMatchObject(fields);
    }
  });
});

describe('the owner of an exam', () => {
  // Contract: exams.faculty-id.id-or-login-email
  it('is named by id or login email, and answered by id', async () => {
    const { id, login_email } = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    for (const faculty_id of [id, login_email, login_email.toUpperCase()]) expect((await create({ faculty_id })).data.faculty_id).toBe(id);
  });

  // Contract: errors.422.invalid-faculty
  it('that is unknown, of another institution, a student or suspended is invalid_faculty, on creation and change', async () => {
    const otherInstitution = await api.institution();
    const { data: suspended } = await call('POST', '/faculty', { full_name: 'Grace Hopper' });
    await call('PATCH', `/faculty/${suspended.id}`, { status: 'suspended' });
    const [student] = await createStudents(1);
    const exam = await createExam();
    const events = await eventsDuring(api, institution, async () => {
      for (const faculty_id of ['fac_unknown', otherInstitution.adminId, otherInstitution.adminLoginEmail, student, suspended.id, suspended.login_email]) {
        expect(errorSummary(await create({ faculty_id }))).toEqual([422, 'invalid_faculty', ['faculty_id']]);
        expect(errorSummary(await call('PATCH', `/exams/${exam.id}`, { title: 'Other', faculty_id }))).toEqual([422, 'invalid_faculty', ['faculty_id']]);
      }
    });
    expect([events, (await listExams()).data.total, await readExam(exam.id)]).toEqual([[], 1, exam]);
  });
});

describe('group_ids', () => {
  // Contract: exams.group-ids.assigns-in-same-call, exams.creation.group-ids-assign-at-once, exams.create.body, events.exam-published
  // Contract: events.exam-assigned.once-per-group
  it('assign in the same call: exam.published, then exam.assigned for each group with its members', async () => {
    const [full, empty] = [await createGroup(await createStudents(3)), await createGroup()];
    let exam = { id: '', groups: [] };
    const events = await eventsDuring(api, institution, async () => {
      exam = await createExam({ group_ids: [empty, full, empty], code_spec: spec });
    });
    const [published, ...announced] = events;
    expect(published).toEqual({ type: 'exam.published', data: { exam_id: exam.id, faculty_id: institution.adminId, app: 'svccode' } });
    expect(announced).toHaveLength(2);
    expect(announced).toEqual(expect.arrayContaining([assigned(exam.id, full, 3), assigned(exam.id, empty, 0)]));
    expect(exam.groups).toEqual(expect.arrayContaining([
      { id: full, name: 'Class', member_count: 3, assigned_at: expect.any(String) },
      { id: empty, name: 'Class', member_count: 0, assigned_at: expect.any(String) },
    ]));
  });

  it('of which one is unknown or of another institution are not_found, and nothing is made', async () => {
    const otherInstitution = await api.institution();
    const foreign = (await call('POST', '/groups', { name: 'South' }, otherInstitution)).data.id;
    const own = await createGroup();
    const events = await eventsDuring(api, institution, async () => {
      for (const other of ['grp_unknown', foreign]) expect(errorSummary(await create({ group_ids: [own, other] }))).toEqual([404, 'not_found']);
    });
    expect([events, (await listExams()).data.total]).toEqual([[], 0]);
  });

  it('may be 500, each announced, and not one more', async () => {
    const ids = await sql<{ id: string }>(
      `INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at)
       SELECT 'grp_' || $1 || '_' || n, $1, $2, 'Class', now(), now() FROM generate_series(1, 501) n RETURNING id`,
      [institution.id, institution.adminId],
    );
    const all = ids.map(({ id }) => id);
    expect(errorSummary(await create({ group_ids: all }))).toEqual([422, 'validation_error', ['group_ids']]);
    const events = await eventsDuring(api, institution, () => createExam({ group_ids: all.slice(1) }));
    expect(events.map(({ type }) => type)).toEqual(['exam.published', ...Array<string>(500).fill('exam.assigned')]);
    const { data: { items: [exam] } } = await listExams();
    expect((await readExam(exam.id)).groups).toHaveLength(500);
    const answers = [
      await call('POST', `/exams/${exam.id}/assignments`, { group_ids: all.slice(0, 1) }),
      await call('POST', `/exams/${exam.id}/assignments`, { group_ids: all.slice(0, 2) }),
      await call('POST', `/exams/${exam.id}/assignments`, { group_ids: all }),
    ];
    expect(answers.map(errorSummary)).toEqual([[409, 'conflict'], [409, 'conflict'], [422, 'validation_error', ['group_ids']]]);
    expect((await call('POST', `/exams/${exam.id}/assignments`, { group_ids: all.slice(1) })).data.total).toBe(500);
    expect((await call('PATCH', `/exams/${exam.id}`, { group_ids: all.slice(0, 500) })).status).toBe(200);
    expect((await listAt(`/exams/${exam.id}/assignments`, { page: 3, limit: 200 })).data).toMatchObject({ total: 500, has_more: false, items: { length: 100 } });
  });
});

describe('a draft', () => {
  // Contract: exams.publish.false-keeps-draft, exams.states.created-draft, exams.states.publish, exams.publish.event, events.exam-published
  it('with groups is silent and unseen until it is published', async () => {
    const students = await createStudents(2);
    const groupId = await createGroup(students);
    const seen = async () => idsOf(await listAt(`/students/${students[0]}/exams`, {}));
    let exam = { id: '', status: '', published_at: '', groups: [] };
    const silent = await eventsDuring(api, institution, async () => {
      exam = await createExam({ publish: false, group_ids: [groupId] });
      await call('PATCH', `/exams/${exam.id}`, { title: 'Geometry' });
    });
    expect([silent, exam.status, exam.published_at, exam.groups.length, await seen()]).toEqual([[], 'draft', null, 1, []]);
    expect(await sql('SELECT 1 FROM exam_notices WHERE exam_id = $1', [exam.id])).toEqual([]);
    const events = await eventsDuring(api, institution, () => call('POST', `/exams/${exam.id}/publish`));
    expect(events.map(({ type }) => type)).toEqual(['exam.published', 'exam.assigned']);
    expect(events[1]).toEqual(assigned(exam.id, groupId, 2));
    expect(await seen()).toEqual([exam.id]);
  });

  it('without groups emits exam.published alone', async () => {
    const exam = await createExam({ publish: false });
    const events = await eventsDuring(api, institution, () => call('POST', `/exams/${exam.id}/publish`));
    expect(events).toEqual([{ type: 'exam.published', data: { exam_id: exam.id, faculty_id: institution.adminId, app: 'svc' } }]);
  });
});
