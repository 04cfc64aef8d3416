import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { AttemptRecord, ExamRecord, SchoolRecord, Sitting, VersionRecord } from './schoolRecord';
import type { AttemptPlan } from './plan';

interface AppEvent {
  id: string;
  type: string;
  at: string;
  detail?: object;
}

const event = (type: string, detail?: object): AppEvent => ({ id: randomUUID(), type, at: new Date().toISOString(), ...(detail === undefined ? {} : { detail }) });

const eventsOf = ({ away, sampleRuns, recorderErrors, segments }: AttemptPlan): AppEvent[] => [
  event('recording_started'),
  ...away.flatMap((away_seconds) => [event('focus_lost'), event('focus_gained', { away_seconds })]),
  ...Array.from({ length: sampleRuns }, () => event('sample_tests_run', { passed: 3, failed: 1 })),
  ...Array.from({ length: recorderErrors }, () => event('recorder_error', { reason: 'disk full' })),
  ...Array.from({ length: segments }, () => event('segment_uploaded')),
  event('recording_stopped'),
];

const names = { document: ['essay.pdf', 'größe, 漢.txt'], coding: ['workspace.zip', 'transcript.json'] } as const;

async function sendEvents({ app }: Sitting['student'], attempt: AttemptRecord, plan: AttemptPlan): Promise<void> {
  const events = eventsOf(plan);
  const first = events.slice(0, Math.ceil(events.length / 2));
  const path = `/app/attempts/${attempt.id}/events`;
  expect(await app.callSuccessfully('POST', path, { events: first })).toEqual({ stored: first.length, repeated: 0 });
  // The second batch begins with the first where that one's answer was lost.
  const second = plan.sendsTwice ? events : events.slice(first.length);
  expect(await app.callSuccessfully('POST', path, { events: second })).toEqual({ stored: events.length - first.length, repeated: second.length - (events.length - first.length) });
  for (const { type } of events) attempt.counts[type] = (attempt.counts[type] ?? 0) + 1;
  attempt.focusLosses = plan.away.length;
  attempt.secondsAway = plan.away.reduce((sum, seconds) => sum + seconds, 0);
  attempt.recorderErrors = plan.recorderErrors;
}

async function upload({ app }: Sitting['student'], attempt: AttemptRecord, kind: 'attachment' | 'recording', name: string): Promise<{ id: string; name: string; sha256: string }> {
  const bytes = randomBytes(2_000);
  const { status, data } = await app.upload(`/app/attempts/${attempt.id}/files`, name, bytes, { kind });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect([status, data?.sha256, data?.size]).toEqual([200, sha256, bytes.length]);
  return { id: data.file.id, name, sha256 };
}

/** Begins an attempt and works at it, up to what only the hand-in is left of. */
export async function work(book: SchoolRecord, exam: ExamRecord, sitting: Sitting): Promise<void> {
  const { student, attempts } = sitting;
  const plan = sitting.plan.attempts[attempts.length];
  if (plan === undefined) throw new Error('No further attempt is planned');
  const path = `/app/exams/${exam.id}/attempts`;
  const begun = await student.app.callSuccessfully('POST', path);
  expect([begun.resumed, begun.status]).toEqual([false, 'in_progress']);
  const attempt: AttemptRecord = {
    id: begun.id, startedAt: begun.started_at, expiresAt: begun.expires_at, releasedAt: null, counts: { attempt_started: 1 }, focusLosses: 0, secondsAway: 0, recorderErrors: 0, attachments: [], recordings: [],
  };
  attempts.push(attempt);
  const data = { attempt_id: attempt.id, exam_id: exam.id, student_id: student.id, started_at: attempt.startedAt, expires_at: attempt.expiresAt };
  book.expectedEvents.push({ type: 'exam.attempt_started', data });
  await sendEvents(student, attempt, plan);
  if (plan.resumes) {
    expect(await student.app.callSuccessfully('POST', path)).toMatchObject({ id: attempt.id, resumed: true, started_at: attempt.startedAt });
    attempt.counts.attempt_resumed = 1;
  }
  for (const name of names[exam.kind].slice(0, plan.attachments)) attempt.attachments.push(await upload(student, attempt, 'attachment', name));
  for (let nth = 0; nth < plan.segments; nth += 1) attempt.recordings.push((await upload(student, attempt, 'recording', `segment-${nth}.webm`)).id);
  if (exam.kind === 'coding') {
    const released = await student.app.callSuccessfully('POST', `/app/attempts/${attempt.id}/hidden-tests/release`);
    attempt.releasedAt = released.hidden_released_at;
    attempt.counts.hidden_tests_released = 1;
  }
}

const interactions = { total_interactions: 3, models_used: ['local-7b'] };

const usageOf = (kind: ExamRecord['kind'], { startedAt, releasedAt, focusLosses, secondsAway }: AttemptRecord): object =>
  kind === 'document' ? interactions : {
    kind: 'svccode',
    v: 1,
    tests: { sample: { passed: 3, failed: 1 }, hidden: { passed: 5, failed: 0, hidden_zip_sha256: 'ab'.repeat(32), workspace_sha256: 'cd'.repeat(32) } },
    timing: { started_at: startedAt, hidden_released_at: releasedAt, submitted_at: new Date().toISOString() },
    focus: { lost_count: focusLosses, lost_seconds: secondsAway },
    toolchain: 'python',
    app: { name: 'svccode', version: '2.4.1', platform: 'linux-x64' },
    ...interactions,
  };

/** Submits the attempt in progress, late or not as given. */
export async function handIn(book: SchoolRecord, exam: ExamRecord, sitting: Sitting, isLate: boolean): Promise<void> {
  const { student, versions } = sitting;
  const attempt = sitting.attempts.at(-1);
  if (attempt === undefined) throw new Error('No attempt is in progress');
  const usage = usageOf(exam.kind, attempt);
  const text = `“${student.plan.name}”\n\tVersion ${versions.length + 1} 😀`;
  const attachments = attempt.attachments.map(({ id, name }) => ({ file: { id }, name }));
  const answer = await student.app.callSuccessfully('POST', `/app/attempts/${attempt.id}/submit`, { text, attachments, ai_usage_data: usage });
  const version: VersionRecord = {
    id: answer.id, attempt, version: versions.length + 1, isLate, submittedAt: answer.submitted_at, text, usage, status: 'submitted', grade: null, gradedAt: null, gradedBy: null,
  };
  expect([answer.version, answer.is_late]).toEqual([version.version, isLate]);
  versions.push(version);
  attempt.counts.submitted = 1;
  book.expectedEvents.push({ type: 'exam.submitted', data: { submission_id: version.id, exam_id: exam.id, student_id: student.id, version: version.version, is_late: isLate } });
}
