import fc from 'fast-check';
import { abandonDueAttempts } from '../../../domain/attempts/abandonDueAttempts';
import { startAttempt } from '../../../domain/attempts/startAttempt';
import { submitAttempt } from '../../../domain/attempts/submitAttempt';
import { DomainError } from '../../../domain/errors';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { appFixture } from '../../support/appFixture';
import { eventsOf } from '../../support/events';

const { api, institution, sql, signedInStudent, examFor, attemptFeed } = appFixture();
const minute = 60_000;
const beginning = Date.parse('2026-11-20T09:00:00Z');

/** What can happen to one student's work on one exam, and how many ms pass before it. */
const step = fc.record({ does: fc.constantFrom('ask', 'ask', 'submit', 'submit', 'sweep', 'request', 'void'), after: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 40 * minute })) });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** An exam's terms; its due date in ms after the beginning. */
const terms = fc.record({
  limit: fc.option(fc.constantFrom(1, 30, 90), { nil: null }),
  due: fc.option(fc.constantFrom(10 * minute, 60 * minute, 61 * minute + 1), { nil: null }),
  late: fc.boolean(),
});
type Terms = typeof terms extends fc.Arbitrary<infer Value> ? Value : never;

/** One attempt as the specification has it. */
interface Modelled {
  state: 'in_progress' | 'submitted' | 'abandoned';
  begun: number;
  end: number;
  resumes: number;
  noted: 'submitted' | 'attempt_abandoned' | undefined;
  version?: { status: 'submitted' | 'resubmission_required' | 'voided'; late: boolean; reopened?: number };
}

/** The specification of attempts and versions, without a database. */
class Model {
  readonly attempts: Modelled[] = [];

  constructor(private readonly exam: Terms) {}

  private get latest(): Modelled | undefined {
    return this.attempts.at(-1);
  }

  /** The newest attempt that was handed in. */
  private get newest(): Modelled | undefined {
    return this.attempts.findLast(({ version }) => version !== undefined);
  }

  private over(attempt: Modelled, now: number): boolean {
    return attempt.state !== 'in_progress' || attempt.end <= now;
  }

  private pastDue(now: number): boolean {
    return this.exam.due !== null && !this.exam.late && now >= beginning + this.exam.due;
  }

  private abandon(now: number): void {
    const { latest } = this;
    if (latest?.state !== 'in_progress' || latest.end > now) return;
    latest.state = 'abandoned';
    latest.noted = 'attempt_abandoned';
  }

  ask(now: number): boolean {
    this.abandon(now);
    const { latest } = this;
    if (this.pastDue(now)) return false;
    const reopened = this.newest?.version?.reopened;
    if (latest?.state === 'abandoned' && (reopened === undefined || reopened <= latest.begun)) return false;
    if (latest?.state === 'in_progress') {
      latest.resumes += 1;
      return true;
    }
    if (latest !== undefined && latest.version?.status === 'submitted') return false;
    const ends = [this.exam.limit === null ? Infinity : now + this.exam.limit * minute, this.exam.due === null || this.exam.late ? Infinity : beginning + this.exam.due];
    this.attempts.push({ state: 'in_progress', begun: now, end: Math.min(...ends), resumes: 0, noted: undefined });
    return true;
  }

  submit(now: number): boolean {
    const { latest } = this;
    if (latest === undefined || this.over(latest, now) || this.pastDue(now)) return false;
    latest.state = 'submitted';
    latest.noted = 'submitted';
    latest.version = { status: 'submitted', late: this.exam.due !== null && now > beginning + this.exam.due };
    return true;
  }

  sweep(now: number): boolean {
    this.abandon(now);
    return true;
  }

  changeStatus(status: 'resubmission_required' | 'voided', now: number): boolean {
    const version = this.newest?.version;
    if (version === undefined || !changesFrom[status].includes(version.status)) return false;
    Object.assign(version, { status, reopened: now });
    return true;
  }
}

/** From which states a version is asked for again, or voided. */
const changesFrom = { resubmission_required: ['submitted', 'resubmission_required'], voided: ['submitted'] };

const refused = (error: unknown): false => {
  if (error instanceof DomainError && error.code === 'conflict') return false;
  throw error;
};

it('for any actions of a student, the clock and the teacher, attempts, versions, the late flag, feed and events are as specified', async () => {
  await fc.assert(
    fc.asyncProperty(terms, fc.array(step, { minLength: 1, maxLength: 14 }), async (exam, steps: Step[]) => {
      const who = await signedInStudent();
      const due_date = exam.due === null ? null : new Date(beginning + exam.due).toISOString();
      const { id: examId } = await examFor([who], { time_limit_minutes: exam.limit, due_date, allow_late_submission: exam.late });
      const { domain } = api.api;
      const before = (await eventsOf(api, institution)).length;
      const model = new Model(exam);
      const attempts: string[] = [];
      let clock = beginning;
      for (const { does, after } of steps) {
        clock += after;
        const caller = systemCaller(institution.id, new Date(clock));
        const setStatus = (to: 'resubmission_required' | 'voided') =>
          sql(
            `UPDATE submissions SET status = $3, voided_at = CASE WHEN $3 = 'voided' THEN $4::timestamptz END, graded_at = CASE WHEN $3 <> 'voided' THEN $4::timestamptz END
              WHERE exam_id = $1 AND student_id = $2 AND status = ANY ($5) AND version = (SELECT max(version) FROM submissions WHERE exam_id = $1 AND student_id = $2) RETURNING id`,
            [examId, who.id, to, new Date(clock), changesFrom[to]],
          );
        const really = {
          ask: async () => {
            const { attempt, resumed } = await startAttempt(domain, caller, examId, who.id);
            if (!resumed) attempts.push(attempt.id);
            return true;
          },
          submit: async () => {
            const latest = attempts.at(-1);
            if (latest === undefined) return false;
            await transact(domain, caller, (tx) => submitAttempt(tx, latest, who.id, {}));
            return true;
          },
          sweep: async () => {
            await transact(domain, caller, (tx) => abandonDueAttempts(tx, { examId, run: 1 }));
            return true;
          },
          request: async () => (await setStatus('resubmission_required')).length === 1,
          void: async () => (await setStatus('voided')).length === 1,
        };
        const specified = { ask: () => model.ask(clock), submit: () => model.submit(clock), sweep: () => model.sweep(clock), request: () => model.changeStatus('resubmission_required', clock), void: () => model.changeStatus('voided', clock) };
        expect([does, await really[does]().catch(refused)]).toEqual([does, specified[does]()]);
      }

      const rows = await sql('SELECT id, status, started_at, expires_at FROM attempts WHERE exam_id = $1 ORDER BY started_at, id', [examId]);
      expect(rows).toEqual(model.attempts.map(({ state, begun, end }, nth) => ({ id: attempts[nth], status: state, started_at: new Date(begun), expires_at: end === Infinity ? null : new Date(end) })));
      const versions = await sql('SELECT attempt_id, version, status, is_late FROM submissions WHERE exam_id = $1 ORDER BY version', [examId]);
      const specified = model.attempts.flatMap(({ version }, nth) => (version === undefined ? [] : [{ attempt_id: attempts[nth], status: version.status, is_late: version.late }]));
      expect(versions).toEqual(specified.map((version, nth) => ({ ...version, version: nth + 1 })));
      for (const [nth, { resumes, noted }] of model.attempts.entries()) {
        const types = (await attemptFeed(attempts[nth] ?? '')).map(({ type }) => type).sort();
        expect(types).toEqual([...(noted === undefined ? [] : [noted]), 'attempt_started', ...Array<string>(resumes).fill('attempt_resumed')].sort());
      }
      const events = (await eventsOf(api, institution)).slice(before).map(({ type }) => type);
      const counted = (type: string) => events.filter((one) => one === type).length;
      expect([counted('exam.attempt_started'), counted('exam.submitted')]).toEqual([model.attempts.length, specified.length]);
    }),
    { numRuns: 60 },
  );
});
