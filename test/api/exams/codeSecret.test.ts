import { randomBytes } from 'node:crypto';
import { errorSummary } from '../../support/responses';
import { base64, fullSpec } from '../../support/codingExams';
import { apiFixture } from '../../support/apiFixture';
import { seedExamAttempt } from '../../support/seed/submissions';

const fixture = apiFixture();
const { api, sql, call, createExam, readExam, createExamWithStatus, createStudents } = fixture;

const codingExam = async (): Promise<string> => (await createExam({ code_spec: fullSpec })).id;
const setKey = (id: string, hidden_key_b64: unknown = base64(32)) => call('PUT', `/exams/${id}/code-secret`, { hidden_key_b64 });
const status = async (id: string) => (await call('GET', `/exams/${id}/code-secret/status`)).data;
const release = (id: string) => call('POST', `/exams/${id}/code-secret/release`);
const asIso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describe('the key of the hidden tests', () => {
  // Contract: exams.get.groups-stats-code-secret-set, hidden-tests.key.set-by-code-secret, exams.code-secret.body, limits.hidden-tests.key-32-bytes
  it('is 32 bytes in base64; setting it answers when, never the key', async () => {
    const id = await codingExam();
    const { status: code, data } = await setKey(id);
    expect([code, data]).toEqual([200, { set: true, set_at: asIso }]);
    expect((await readExam(id)).code_secret_set).toBe(true);
  });

  // Contract: exams.code-secret.body, limits.hidden-tests.key-32-bytes
  it.each<[string, unknown]>([
    ['31 bytes', base64(31)], ['33 bytes', base64(33)], ['no byte', ''], ['64 bytes', base64(64)], ['the hex of 32 bytes', Buffer.alloc(32, 7).toString('hex')],
    ['base64url', `${'_'.repeat(42)}8=`], ['base64 without its padding', base64(32).slice(0, -1)], ['base64 with a line break', `${base64(32)}\n`],
    ['base64 with a blank before it', ` ${base64(32)}`], ['base64 in a form that is not canonical', `${'A'.repeat(42)}B=`], ['a number', 7], ['null', null],
    ['an object', { key: base64(32) }],
  ])('is refused when it is %s', async (_what, key) => {
    const id = await codingExam();
    const answer = await setKey(id, key);
    expect([errorSummary(answer), (await status(id)).set]).toEqual([[422, 'validation_error', ['hidden_key_b64']], false]);
    if (typeof key === 'string' && key.length > 9) expect(JSON.stringify(answer.body)).not.toContain(key.trim());
  });

  it('is refused when there is none', async () => {
    const id = await codingExam();
    const path = `/exams/${id}/code-secret`;
    expect([await call('PUT', path, {}), await call('PUT', path)].map(errorSummary)).toEqual(Array(2).fill([422, 'validation_error', ['hidden_key_b64']]));
  });

  it.each([['draft' as const], ['published' as const], ['closed' as const]])('may be set of a %s exam, before its spec has hidden tests', async (state) => {
    const { id } = await createExamWithStatus(state);
    expect([(await setKey(id)).status, (await release(id)).data]).toEqual([200, { hidden_key_b64: base64(32) }]);
  });

  it('is replaced by setting it again; releases stay on record', async () => {
    const id = await codingExam();
    const first = (await setKey(id)).data;
    await release(id);
    const second = (await setKey(id, base64(32, 8))).data;
    expect((await release(id)).data).toEqual({ hidden_key_b64: base64(32, 8) });
    const after = await status(id);
    expect([after.set_at, after.release_count, after.releases.length]).toEqual([second.set_at, 2, 2]);
    expect(second.set_at > first.set_at).toBe(true);
  });

  it('stays when the spec changes and goes with its exam', async () => {
    const id = await codingExam();
    await setKey(id);
    await call('PATCH', `/exams/${id}`, { code_spec: { ...fullSpec, rubric_md: null } });
    expect((await status(id)).set).toBe(true);
    await call('DELETE', `/exams/${id}`);
    expect((await release(id)).status).toBe(404);
  });

  // Contract: hidden-tests.key.never-in-spec, hidden-tests.key.write-only-for-students
  it('is answered by its release alone', async () => {
    const id = await codingExam();
    const key = randomBytes(32).toString('base64');
    await setKey(id, key);
    await release(id);
    const paths = [`/exams/${id}`, '/exams', `/exams/${id}/code-secret/status`, `/exams/${id}/attempts`, '/events'];
    const answers = await Promise.all(paths.map((path) => call('GET', path)));
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(key);
  });

  it('is sealed at rest: no row of any table holds it in any form', async () => {
    const id = await codingExam();
    const key = randomBytes(32);
    await setKey(id, key.toString('base64'));
    await release(id);
    const forms = [key.toString('base64'), key.toString('base64url'), key.toString('hex'), Buffer.from(key.toString('base64')).toString('hex')];
    const tables = await sql<{ name: string }>("SELECT format('%I', table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'");
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['exams', 'code_secret_releases', 'events']));
    const holding = async (needles: string[]) =>
      (await Promise.all(tables.map(({ name }) => sql(`SELECT 1 FROM ${name} t WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) n WHERE strpos(t::text, n) > 0)`, [needles])))).flat();
    expect(await holding(forms)).toEqual([]);
    // The same look does find what is there.
    expect(await holding([id])).not.toEqual([]);
  });

  it('is sealed again each time: equal keys do not look equal', async () => {
    const ids = [await codingExam(), await codingExam()];
    for (const id of ids) await setKey(id);
    const rows = await sql<{ sealed: string }>('SELECT hidden_key_sealed AS sealed FROM exams WHERE id = ANY ($1)', [ids]);
    expect(new Set(rows.map(({ sealed }) => sealed)).size).toBe(2);
  });
});

describe('a release to an integration', () => {
  // Contract: errors.404.no-secret
  it('is no_secret before a key is set, and leaves nothing on record', async () => {
    const id = await codingExam();
    expect([errorSummary(await release(id)), await status(id)]).toEqual([[404, 'no_secret'], { set: false, set_at: null, release_count: 0, releases: [] }]);
  });

  // Contract: exams.code-secret.status-response, exams.code-secret.release-response
  it('may be read repeatedly; each read is on record with the id of the key that asked, the newest first', async () => {
    const id = await codingExam();
    await setKey(id);
    const other = await api.keyFor(fixture.institution, ['exams:write']);
    await release(id);
    const { data } = await api.call('POST', `/exams/${id}/code-secret/release`, { key: other });
    expect(data).toEqual({ hidden_key_b64: base64(32) });
    const { data: me } = await api.call('GET', '/me', { key: other });
    const { release_count, releases } = await status(id);
    expect([release_count, releases]).toEqual([
      2,
      [me.key_id, fixture.institution.keyId].map((by) => ({ attempt_id: null, student_id: null, released_at: asIso, by })),
    ]);
  });

  it('names the newest 200, and counts all', async () => {
    const id = await codingExam();
    await sql(
      `INSERT INTO code_secret_releases (institution_id, exam_id, released_by, released_at) SELECT $1, $2, 'key_' || n, now() FROM generate_series(1, 201) n ORDER BY n`,
      [fixture.institution.id, id],
    );
    const { release_count, releases } = await status(id);
    expect([release_count, releases.length, releases[0].by, releases.at(-1).by]).toEqual([201, 200, 'key_201', 'key_2']);
  });

  it("does not stamp a student's attempt", async () => {
    const id = await codingExam();
    await setKey(id);
    const [studentId = ''] = await createStudents(1);
    const attempt = await seedExamAttempt(api, fixture.institution, { examId: id, studentId });
    await release(id);
    expect(await sql('SELECT hidden_released_at FROM attempts WHERE id = $1', [attempt])).toEqual([{ hidden_released_at: null }]);
  });
});

describe('the code secret of an exam', () => {
  const calls = (id: string, institution = fixture.institution) =>
    Promise.all([
      call('PUT', `/exams/${id}/code-secret`, { hidden_key_b64: base64(32, 9) }, institution),
      call('GET', `/exams/${id}/code-secret/status`, undefined, institution),
      call('POST', `/exams/${id}/code-secret/release`, undefined, institution),
    ]);

  it('of another institution is that of an unknown exam, and stays as it is', async () => {
    const id = await codingExam();
    await setKey(id);
    const otherInstitution = await api.institution();
    const [foreign, unknown] = [await calls(id, otherInstitution), await calls('exm_01jd4k6f2mep2s5xg5yhc8m1zz', otherInstitution)];
    expect(foreign.map(errorSummary)).toEqual([[404, 'not_found'], [404, 'not_found'], [404, 'not_found']]);
    expect(foreign.map(({ body }) => body)).toEqual(unknown.map(({ body }) => body));
    expect([(await release(id)).data, (await status(id)).release_count]).toEqual([{ hidden_key_b64: base64(32) }, 1]);
  });

  it('may be looked at with exams:read; setting and releasing it needs exams:write', async () => {
    const id = await codingExam();
    await setKey(id);
    const reader = { ...fixture.institution, apiKey: await api.keyFor(fixture.institution, ['exams:read']) };
    const answers = await calls(id, reader);
    expect(answers.map(({ status: code, body }) => [code, body.missing])).toEqual([[403, ['exams:write']], [200, undefined], [403, ['exams:write']]]);
    const stranger = { ...fixture.institution, apiKey: await api.keyFor(fixture.institution, ['submissions:write']) };
    expect((await calls(id, stranger)).map(({ status: code }) => code)).toEqual([403, 403, 403]);
    expect((await release(id)).data).toEqual({ hidden_key_b64: base64(32) });
  });
});
