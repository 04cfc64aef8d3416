import { createHash } from 'node:crypto';
import { errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { submissionCalls } from '../../support/submissionCalls';

const fixture = apiFixture();
const { api, institution, sql, call, listAt } = fixture;
const { newSubmission, readSubmission, attemptFile, grade } = submissionCalls(fixture);
const hourMs = 3_600_000;

const attach = (submissionId: string, position: number, fileId: string, name: string) =>
  sql('INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name) VALUES ($1, $2, $3, $4, $5)', [submissionId, position, fileId, institution.id, name]);

describe('GET /submissions/{id}', () => {
  // Contract: service.purpose.read-submissions-and-proctoring, submissions.fields.id-and-version, submissions.fields.status-and-text
  // Contract: submissions.fields.ai-usage-data, submissions.fields.proctoring-summary, submissions.get.recording-urls-by-scope
  it('shows what was handed in, of which attempt, and by whom', async () => {
    const { id, examId, studentId } = await newSubmission({ isLate: true });
    const usage = { total_interactions: 3, models_used: ['local-7b'] };
    await sql('UPDATE submissions SET text = $2, ai_usage_data = $3 WHERE id = $1', [id, 'One\nTwo', usage]);
    const [kept] = await sql<{ attempt_id: string; login_email: string; submitted_at: Date }>(
      'SELECT s.attempt_id, e.login_email, s.submitted_at FROM submissions s JOIN institution_emails e ON e.user_id = s.student_id WHERE s.id = $1', [id]);
    expect(await readSubmission(id)).toEqual({
      id,
      exam_id: examId,
      student_id: studentId,
      student_email: kept?.login_email,
      attempt_id: kept?.attempt_id,
      version: 1,
      is_latest: true,
      status: 'submitted',
      is_late: true,
      text: 'One\nTwo',
      attachments: [],
      feedback: null,
      feedback_attachments: [],
      score_detail: null,
      ai_usage_data: usage,
      proctoring: { focus_losses: 0, seconds_away: 0, recorder_errors: 0, segments: 0 },
      graded_by: null,
      graded_at: null,
      void_reason: null,
      voided_at: null,
      submitted_at: kept?.submitted_at.toISOString(),
      updated_at: expect.any(String),
      versions: [{ id, version: 1, status: 'submitted', submitted_at: kept?.submitted_at.toISOString() }],
      recordings: [],
    });
  });

  // Contract: submissions.version.increments-and-stays-readable
  it('names every version, newest first; each is read by its id, and only the newest is the latest', async () => {
    const { id: first, ...of } = await newSubmission({ status: 'resubmission_required' });
    const { id: third } = await newSubmission({ version: 3 }, of);
    const { id: second } = await newSubmission({ version: 2, status: 'voided' }, of);
    await newSubmission({}, { examId: of.examId });
    await newSubmission({}, { studentId: of.studentId });
    const read3 = await Promise.all([first, second, third].map(readSubmission));
    expect(read3.map(({ version, is_latest }) => [version, is_latest])).toEqual([[1, false], [2, false], [3, true]]);
    for (const { versions } of read3) {
      expect(versions.map((one: { id: string; version: number; status: string }) => [one.id, one.version, one.status])).toEqual([
        [third, 3, 'submitted'],
        [second, 2, 'voided'],
        [first, 1, 'resubmission_required'],
      ]);
    }
  });

  // Contract: submissions.fields.signed-attachments, limits.attachment-urls.one-hour
  it('names its files as they were handed in, with URLs that anybody may fetch for an hour', async () => {
    const { id } = await newSubmission();
    const { attempt_id: attempt } = await readSubmission(id);
    const [essay, notes, unused] = [await attemptFile(attempt, 'attachment', 'upload-1'), await attemptFile(attempt, 'attachment', 'upload-2'), await attemptFile(attempt, 'attachment', 'upload-3')];
    await attach(id, 2, essay, 'essay.pdf');
    await attach(id, 1, notes, 'notes.txt');
    const asked = Date.now();
    const { attachments } = await readSubmission(id);
    expect(attachments.map((one: { id: string; name: string }) => [one.id, one.name])).toEqual([[notes, 'notes.txt'], [essay, 'essay.pdf']]);
    expect(JSON.stringify(attachments)).not.toContain(unused);
    const { url, url_expires_at, size, sha256 } = attachments[1];
    expect([size, sha256]).toEqual([5, createHash('sha256').update('hello').digest('hex')]);
    expect(Math.abs(Date.parse(url_expires_at) - asked - hourMs)).toBeLessThan(5_000);
    const download = await fetch(url.replace(api.settings.publicBaseUrl, api.baseUrl));
    expect([download.status, await download.text()]).toEqual([200, 'hello']);
  });

  // Contract: proctoring.recordings.uploaded-with-submission
  it('returns the recorded segments in order, and counts them', async () => {
    const { id } = await newSubmission();
    const { attempt_id: attempt } = await readSubmission(id);
    const [one, two] = [await attemptFile(attempt, 'recording', 'segment-1.webm'), await attemptFile(attempt, 'recording', 'segment-2.webm')];
    await attemptFile(attempt, 'attachment', 'essay.pdf');
    const lost = await attemptFile(attempt, 'recording', 'segment-3.webm');
    await sql("UPDATE files SET status = 'storing' WHERE id = $1", [lost]);
    const { recordings, proctoring } = await readSubmission(id);
    expect(recordings.map((segment: { id: string; name: string }) => [segment.id, segment.name])).toEqual([[one, 'segment-1.webm'], [two, 'segment-2.webm']]);
    expect(proctoring.segments).toBe(2);
  });

  // Contract: submissions.fields.proctoring-summary
  it('adds up what proctoring noted in its own attempt', async () => {
    const { id: first, ...of } = await newSubmission({ status: 'resubmission_required' });
    const { id: second } = await newSubmission({ version: 2 }, of);
    const sums = (id: string, losses: number, seconds: number, errors: number) =>
      sql('UPDATE attempts SET focus_losses = $2, seconds_away = $3, recorder_errors = $4 WHERE id = (SELECT attempt_id FROM submissions WHERE id = $1)', [id, losses, seconds, errors]);
    await sums(first, 7, 91.25, 1);
    await sums(second, 2, 4.5, 0);
    expect([(await readSubmission(first)).proctoring, (await readSubmission(second)).proctoring]).toEqual([
      { focus_losses: 7, seconds_away: 91.25, recorder_errors: 1, segments: 0 },
      { focus_losses: 2, seconds_away: 4.5, recorder_errors: 0, segments: 0 },
    ]);
  });

  it('shows seconds away to the millisecond, without what binary fractions add', async () => {
    const { id } = await newSubmission();
    for (const [kept, shown] of [[0.1 + 0.1 + 0.1, 0.3], [12.3456, 12.346], [1e-6, 0], [0.1 + 1_727_999_999.8, 1_727_999_999.9]]) {
      await sql('UPDATE attempts SET seconds_away = $2 WHERE id = (SELECT attempt_id FROM submissions WHERE id = $1)', [id, kept]);
      expect([(await readSubmission(id)).proctoring.seconds_away, (await listAt('/submissions', {})).data.items[0].proctoring.seconds_away]).toEqual([shown, shown]);
    }
  });

  it('of an unknown submission, or one of another institution, is 404, as is every other operation on it', async () => {
    const { id } = await newSubmission();
    const before = await readSubmission(id);
    const otherInstitution = await api.institution();
    for (const asked of [id, 'sub_unknown', institution.adminLoginEmail]) {
      const answers = [
        await call('GET', `/submissions/${asked}`, undefined, otherInstitution),
        await call('GET', `/submissions/${asked}/events`, undefined, otherInstitution),
        await call('POST', `/submissions/${asked}/grade`, { score: 1 }, otherInstitution),
        await call('POST', `/submissions/${asked}/grade`, { score: -1 }, otherInstitution),
        await call('POST', `/submissions/${asked}/grade`, { score: 99_999, graded_by: 'fac_unknown' }, otherInstitution),
        await call('POST', `/submissions/${asked}/void`, {}, otherInstitution),
      ];
      expect(answers.map(errorSummary)).toEqual(answers.map(() => [404, 'not_found']));
    }
    expect(await readSubmission(id)).toEqual(before);
  });
});

describe('recordings', () => {
  // Contract: privacy.recording-urls.submissions-write-only, submissions.get.recording-urls-by-scope, scopes.submissions.write-unlocks-recordings
  it('are in no answer to a key without submissions:write, and in every one to a key with it', async () => {
    const { id } = await newSubmission();
    const { attempt_id: attempt } = await readSubmission(id);
    const [segment, essay] = [await attemptFile(attempt, 'recording', 'segment-1.webm'), await attemptFile(attempt, 'attachment', 'essay.pdf')];
    await attach(id, 1, essay, 'essay.pdf');
    await grade(id, { score: 90 });
    const everythingElse = ['students:write', 'exams:write', 'guardians:write', 'institution:write', 'webhooks:write'];
    const keys = {
      reads: await api.keyFor(institution, [...everythingElse, 'submissions:read']),
      writes: await api.keyFor(institution, ['submissions:write']),
    };
    const paths = [`/submissions/${id}`, '/submissions', `/submissions/${id}/events`];
    const exam = (await readSubmission(id)).exam_id;
    paths.push(`/exams/${exam}/attempts`, `/exams/${exam}/scores`, `/exams/${exam}/analytics`);
    for (const path of paths) {
      const [read, written] = [await api.call('GET', path, { key: keys.reads }), await api.call('GET', path, { key: keys.writes })];
      expect([read.status, written.status]).toEqual([200, 200]);
      expect([path, JSON.stringify(read.body).includes(segment), JSON.stringify(written.body).includes(segment)]).toEqual([path, false, path === paths[0]]);
      if (path !== paths[0]) continue;
      const { recordings, ...rest } = written.data;
      expect(Object.hasOwn(read.data, 'recordings')).toBe(false);
      expect(Object.keys(read.data)).toEqual(Object.keys(rest));
      expect(recordings.map((one: { id: string }) => one.id)).toEqual([segment]);
    }
  });

  it('come with the answers of grading and voiding, which need that scope', async () => {
    const { id } = await newSubmission();
    const segment = await attemptFile((await readSubmission(id)).attempt_id, 'recording', 'segment-1.webm');
    const key = await api.keyFor(institution, ['submissions:read']);
    for (const [step, body] of [['grade', { score: 1 }], ['void', {}]] as const) {
      expect(errorSummary(await api.call('POST', `/submissions/${id}/${step}`, { key, body }))).toEqual([403, 'insufficient_scope']);
      const { data } = await call('POST', `/submissions/${id}/${step}`, body);
      expect(data.recordings.map((one: { id: string }) => one.id)).toEqual([segment]);
    }
  });
});
