import type { RunningWorker } from '../../worker/start';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { eventually } from '../support/eventually';
import { findLeaks } from '../support/leaks';
import { recipientsOf } from '../support/signInCodes';
import { startReceiver, type Receiver } from '../support/receiver';
import type { ParsedMail } from '../support/stack';
import { waitUntilPolling, startTestWorker } from '../support/worker';
import { createClient, download } from './client';
import { attemptsOf, newestOf, versionsOf, type ExamRecord, type SchoolRecord, type Sitting } from './schoolDay/schoolRecord';
import { byEmail, expectedAnalytics, expectedCsv, expectedScore, expectedStats, expectedSubmission } from './schoolDay/expected';
import { allOf, envelopesOf, readExport, followFeed, lines } from './schoolDay/actual';
import { inParallel } from './schoolDay/inParallel';
import { grade, replaceFirstVersion } from './schoolDay/grading';
import { createPeople, openSchool, createExams, signInEverybody, subscribe } from './schoolDay/setup';
import { planDay } from './schoolDay/plan';
import { handIn, work } from './schoolDay/takeExam';

// One school day, played through HTTP alone. Who does what a seed decides; what has to come of it, the books say, which
// are kept as well. Everything that the service returns afterwards must agree with them, number by number.

const plans = planDay(20_261_120);

let api: TestApi;
let worker: RunningWorker;
let receivers: Receiver[];
let books: SchoolRecord[];

beforeAll(async () => {
  // Signed URLs lead to where the service says that it is.
  const port = await freePort();
  receivers = await Promise.all(plans.map(() => startReceiver()));
  api = await startTestApi({ port, publicBaseUrl: `http://127.0.0.1:${port}/v1`, webhookTrustedHosts: receivers.map(({ host }) => host) });
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await Promise.all(receivers.map(({ close }) => close()));
});

/** Every sitting that there is, with its book and exam; those of the institutions in turn, as they happen on one day. */
const sittings = (wanted: (sitting: Sitting) => boolean = () => true): [SchoolRecord, ExamRecord, Sitting][] => {
  const seats = Math.max(...books.map(({ students }) => students.length));
  const exams = books.flatMap((book) => book.exams.map((exam): [SchoolRecord, ExamRecord] => [book, exam]));
  return Array.from({ length: seats }, (_, seat) =>
    exams.flatMap(([book, exam]) => exam.sittings.slice(seat, seat + 1).filter(wanted).map((sitting): [SchoolRecord, ExamRecord, Sitting] => [book, exam, sitting])),
  ).flat();
};

const hasSecond = ({ plan }: Sitting): boolean => plan.attempts.length === 2;
const finishes = ({ plan }: Sitting): boolean => plan.course !== 'unfinished';
/** Resolves when every email that is expected by now has arrived. */
async function waitForEmails(): Promise<ParsedMail[]> {
  const expected = books.flatMap(({ expectedEmails }) => [...expectedEmails.values()]).reduce((sum, count) => sum + count, 0);
  return eventually('every letter', async () => {
    const emails = await api.stack.mail.messages();
    return emails.length >= expected && emails;
  });
}

/** Whether the version that comes next is the last one, and late. */
const isDue = ({ plan, versions }: Sitting): boolean => plan.late && versions.length === plan.attempts.length - 1;

const timed = async (what: string, doing: Promise<unknown>): Promise<void> => {
  const begun = performance.now();
  await doing;
  if (process.env.SCHOOL_DAY_TIMES !== undefined) process.stderr.write(`${what}: ${Math.round(performance.now() - begun)} ms\n`);
};

describe('a school day of 3 institutions, 5 teachers, 200 students and 2 exams each', () => {
  it('is played', async () => {
    books = await Promise.all(plans.map((plan, nth) => openSchool(api, plan, nth)));
    await timed('opened', Promise.all(books.map(async (book, nth) => {
      const [receiver] = receivers.slice(nth);
      if (receiver !== undefined) await subscribe(book, receiver);
      await createPeople(book, createClient(api.platformUrl));
      await createExams(book);
    })));
    // Students with an email by then are notified of the exams; those who give one as they sign in are not.
    await timed('told', waitForEmails());
    await timed('signed in', signInEverybody(api, books));

    await timed('worked', inParallel(sittings(), ([book, exam, sitting]) => work(book, exam, sitting)));
    await timed('handed in', inParallel(sittings((sitting) => finishes(sitting) && !isDue(sitting)), ([book, exam, sitting]) => handIn(book, exam, sitting, false)));
    await timed('sent back', inParallel(sittings(hasSecond), ([book, exam, sitting]) => replaceFirstVersion(book, exam, sitting)));
    // An email that asks for a new submission is not sent once it was made.
    await timed('told again', waitForEmails());
    await timed('made again', inParallel(sittings(hasSecond), async ([book, exam, sitting]) => {
      await work(book, exam, sitting);
      if (!isDue(sitting)) await handIn(book, exam, sitting, false);
    }));
    const due_date = new Date().toISOString();
    await inParallel(books, async ({ client, exams }) => {
      for (const { id } of exams) await client.callSuccessfully('PATCH', `/exams/${id}`, { due_date });
    });
    await timed('late', inParallel(sittings(isDue), ([book, exam, sitting]) => handIn(book, exam, sitting, true)));

    await timed('graded', inParallel(sittings(finishes), async ([book, exam, sitting]) => grade(book, exam, sitting)));
    await timed('closed', inParallel(books, async ({ client, exams }) => {
      for (const { id } of exams) expect(await client.callSuccessfully('POST', `/exams/${id}/close`)).toMatchObject({ status: 'closed' });
      for (const exam of exams) {
        await eventually('nobody at work any more', async () => (await allOf(client, `/exams/${exam.id}/attempts`)).every(({ status }) => status !== 'in_progress'));
      }
    }));
  });

  it('has what was planned: a tenth late, a twentieth made again, all graded', () => {
    expect(books.map(({ students }) => students.length).reduce((sum, count) => sum + count)).toBe(200);
    expect(books.map(({ teachers }) => teachers.length).reduce((sum, count) => sum + count)).toBe(5);
    for (const exam of books.flatMap(({ exams }) => exams)) {
      const newest = exam.sittings.flatMap((sitting) => newestOf(sitting) ?? []);
      expect([newest.length, newest.every(({ status }) => status === 'graded'), newest.filter(({ isLate }) => isLate).length]).toEqual([exam.sittings.length - 1, true, 7]);
      const older = versionsOf(exam).filter((version) => !newest.includes(version)).map(({ status }) => status).sort();
      expect(older).toEqual([...Array(3).fill('resubmission_required'), 'voided', 'voided']);
    }
  });

  it('GET /submissions and each single one say what was handed in and what it was given', async () => {
    await inParallel(books, async ({ client, exams }) => {
      for (const exam of exams) {
        const expected = new Map(exam.sittings.flatMap((sitting) => sitting.versions.map((version) => [version.id, { sitting, version, summary: expectedSubmission(exam, sitting, version) }])));
        const listed = await allOf(client, `/submissions?exam_id=${exam.id}`);
        expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(expected.keys()));
        for (const item of listed) expect(item).toMatchObject(expected.get(String(item.id))?.summary ?? {});
        expect(listed.map(({ submitted_at: at }) => at)).toEqual(listed.map(({ submitted_at: at }) => at).sort().reverse());
        for (const { sitting, version, summary } of expected.values()) {
          const { attempt } = version;
          const read = await client.callSuccessfully('GET', `/submissions/${version.id}`);
          expect(read).toMatchObject({
            ...summary,
            text: version.text,
            ai_usage_data: version.usage,
            attachments: attempt.attachments,
            recordings: attempt.recordings.map((id) => ({ id })),
            versions: sitting.versions.map(({ id, status }) => ({ id, status })).reverse(),
          });
          const { counts, attempt: read_attempt } = await client.callSuccessfully('GET', `/submissions/${version.id}/events`);
          expect([counts, read_attempt]).toEqual([attempt.counts, expect.objectContaining({ id: attempt.id, started_at: attempt.startedAt, hidden_released_at: attempt.releasedAt, ended_at: version.submittedAt })]);
        }
      }
    });
  });

  it('scores, stats, analytics and attempts agree with the book', async () => {
    await inParallel(books, async ({ client, exams }) => {
      for (const exam of exams) {
        expect(await allOf(client, `/exams/${exam.id}/scores`)).toEqual(byEmail(exam).map((sitting) => expectedScore(exam, sitting)));
        expect((await client.callSuccessfully('GET', `/exams/${exam.id}`)).stats).toEqual(expectedStats(exam));
        expect(await client.callSuccessfully('GET', `/exams/${exam.id}/analytics`)).toEqual(expectedAnalytics(exam));
        const submitted = new Map(versionsOf(exam).map(({ id, attempt }) => [attempt.id, id]));
        const attempts = attemptsOf(exam).map(({ id }) => [id, submitted.has(id) ? 'submitted' : 'abandoned', submitted.get(id) ?? null]);
        const found = await allOf(client, `/exams/${exam.id}/attempts`);
        expect(found.map(({ id, status, submission_id }) => [id, status, submission_id]).sort()).toEqual(attempts.sort());
      }
    });
  });

  it('the export, read by a real parser, has the same rows', async () => {
    for (const { apiKey, exams } of books) {
      for (const exam of exams) expect(await readExport(api.baseUrl, apiKey, exam)).toEqual(expectedCsv(exam));
    }
  });

  it('the database has exactly these rows', async () => {
    const { sql } = api.api.domain.database;
    for (const exam of books.flatMap(({ exams }) => exams)) {
      const rows = await sql('SELECT id, student_id, version, status, is_late, score::float8 AS score, percentage::float8 AS percentage FROM submissions WHERE exam_id = $1 ORDER BY id', [exam.id]);
      const expected = exam.sittings.flatMap(({ student, versions }) => versions.map(({ id, version, status, isLate, grade: given }) => ({
        id, student_id: student.id, version, status, is_late: isLate, score: given?.score ?? null, percentage: given?.percentage ?? null,
      })));
      expect(rows).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
      const attempts = attemptsOf(exam);
      const total = (of: (attempt: (typeof attempts)[number]) => number): number => attempts.reduce((sum, attempt) => sum + of(attempt), 0);
      const abandoned = exam.sittings.filter(({ plan }) => plan.course === 'unfinished').length;
      const feedRows = total(({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0)) + abandoned;
      const counted = await sql(
        `SELECT (SELECT count(*)::int FROM attempts WHERE exam_id = $1) AS attempts, (SELECT count(*)::int FROM attempts WHERE exam_id = $1 AND status = 'abandoned') AS abandoned,
                (SELECT count(*)::int FROM attempt_events v JOIN attempts a ON a.id = v.attempt_id WHERE a.exam_id = $1) AS feed,
                (SELECT count(*)::int FROM files f JOIN attempts a ON a.id = f.attempt_id WHERE a.exam_id = $1 AND f.kind = 'attachment' AND f.status = 'stored') AS attachments,
                (SELECT count(*)::int FROM files f JOIN attempts a ON a.id = f.attempt_id WHERE a.exam_id = $1 AND f.kind = 'recording' AND f.status = 'stored') AS recordings`,
        [exam.id],
      );
      expect(counted).toEqual([{ attempts: attempts.length, abandoned, feed: feedRows, attachments: total(({ attachments }) => attachments.length), recordings: total(({ recordings }) => recordings.length) }]);
    }
  });

  it('the feed has every event once, and each was sent to its institution once, signed, with the same words', async () => {
    for (const [nth, book] of books.entries()) {
      const feed = await followFeed(book);
      expect(lines(feed)).toEqual(lines(book.expectedEvents));
      expect(feed.map(({ created_at: at }) => at)).toEqual([...new Set(feed.map(({ created_at: at }) => at))].sort());
      const [receiver] = receivers.slice(nth);
      if (receiver === undefined) throw new Error('A school has a receiver');
      const sent = feed.slice(book.before.length);
      await eventually('every event at its receiver', () => receiver.received.length >= sent.length);
      expect(envelopesOf(receiver)).toEqual(sent);
      expect(await book.client.callSuccessfully('GET', '/webhooks/deliveries?status=delivered&limit=1')).toMatchObject({ total: sent.length });
      expect(receiver.received.flatMap(({ body }) => findLeaks('webhook', body))).toEqual([]);
    }
  });

  it('every expected email was sent, exactly once', async () => {
    const expected = new Map(books.flatMap(({ expectedEmails }) => [...expectedEmails]));
    const arrived = new Map<string, number>();
    for (const address of (await waitForEmails()).flatMap(recipientsOf)) arrived.set(address ?? '', (arrived.get(address ?? '') ?? 0) + 1);
    expect([...arrived].sort()).toEqual([...expected].sort());
  });

  it('every tenth attachment can be fetched, byte for byte', async () => {
    for (const { client, exams } of books) {
      const versions = exams.flatMap(versionsOf).filter(({ attempt }) => attempt.attachments.length > 0);
      for (const { id } of versions.filter((_version, nth) => nth % 10 === 0)) {
        for (const { url, size } of (await client.callSuccessfully('GET', `/submissions/${id}`)).attachments) {
          const { status, bytes } = await download(url);
          expect([status, bytes.length]).toEqual([200, size]);
        }
      }
    }
  });
});
