import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../domain/ids';
import { createClient, download, type Client } from '../conformance/client';
import { signInByProvider } from './consoleSignIn';
import { eventually } from './eventually';
import { codeIn } from './signInCodes';
import { tokenIn } from './guardians';
import type { CaughtMail, ParsedMail } from './stack';

/** What the callers of the service know; a test changes it while they work. */
export interface Credentials {
  apiKey: string;
  platformToken: string;
  /** The personal token of somebody of the support staff. */
  staffToken: string;
  /** A session of the console: its cookies. */
  consoleSession: string;
}

/** Who calls whom. */
export interface TrafficOptions {
  baseUrl: string;
  platformOrigin: string;
  mail: CaughtMail;
  institution: { id: string; adminId: string };
  /** A person whom the identity provider knows, with a role. */
  consoleSub: string;
  credentials: Credentials;
}

/** A lesson that ended: what must be there afterwards. */
export interface Lesson {
  studentId: string;
  submissionId: string;
  guardianLinkId: string;
  /** A signed URL of what was handed in, and its bytes. */
  fileUrl: string;
  contents: string;
}

/** A school day of calls, which go on until they are stopped. */
export interface SchoolTraffic {
  /** Every call that was not answered as it should, with what was done. */
  readonly failures: readonly string[];
  /** How often each activity was done. */
  readonly done: ReadonlyMap<string, number>;
  readonly lessons: readonly Lesson[];
  /** Ids of every student whose creation was answered. */
  readonly students: readonly string[];
  /** Resolves when each activity was begun and done once more: nothing uses credentials from before. */
  onceMore(): Promise<void>;
  stop(): Promise<void>;
}

/** How long an activity waits before it begins again, in ms: there is always something under way, and the processor is for the service. */
const pauseMs = 150;

/** Returns what went wrong, and why where fetch says so. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

const isAbout = (text: string) => (mail: ParsedMail): boolean => mail.text?.includes(text) === true;

/** Begins the calls of a school day: an integrator, students with exams, guardians, the portal, support and the console. */
export function startSchoolTraffic({ baseUrl, platformOrigin, mail, institution, consoleSub, credentials }: TrafficOptions): SchoolTraffic {
  const platformUrl = `${platformOrigin}/platform/v1`;
  const failures: string[] = [];
  const done = new Map<string, number>();
  const lessons: Lesson[] = [];
  const students: string[] = [];
  let stopped = false;
  let teacherId: string | undefined;
  let cursor: string | null = null;

  const school = (): Client => createClient(baseUrl, credentials.apiKey);
  const anybody = createClient(platformUrl);
  const as = (token: string): Client => createClient(platformUrl, token);
  const emailWith = (what: string, wanted: (each: ParsedMail) => boolean): Promise<ParsedMail> => eventually(what, async () => (await mail.messages()).find(wanted));

  async function createStudent(): Promise<{ id: string; login_email: string; personal_email: string }> {
    const [personal_email, key] = [`${newId('stu')}@mail.example`, newId('req')];
    // Sent twice: the second answer is the stored one, whichever process gives it.
    const send = async (): Promise<{ id: string; login_email: string }> => {
      const response = await fetch(`${baseUrl}/students`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credentials.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ full_name: 'Grace Hopper', personal_email }),
      });
      const { data } = await response.json() as { data?: { id: string; login_email: string } };
      if (data === undefined) throw new Error(`POST /students answered ${response.status}`);
      return data;
    };
    const [created, repeated] = [await send(), await send()];
    if (created.id !== repeated.id) throw new Error(`The same call made ${created.id} and ${repeated.id}`);
    students.push(created.id);
    return { ...created, personal_email };
  }

  async function signInByCode(loginEmail: string): Promise<Client> {
    await anybody.callSuccessfully('POST', '/sign-in/codes', { login_email: loginEmail });
    const code = codeIn(await emailWith(`the code of ${loginEmail}`, (each) => isAbout(loginEmail)(each) && codeIn(each) !== ''));
    return as((await anybody.callSuccessfully('POST', '/sign-in/sessions', { login_email: loginEmail, code })).session);
  }

  async function inviteGuardian(studentId: string): Promise<string> {
    const { id } = await school().callSuccessfully('POST', '/guardians', { student_id: studentId, guardian_email: `${newId('gdn')}@mail.example`, guardian_type: 'mother' });
    const invitation = await emailWith(`the invitation ${id}`, ({ messageId }) => messageId?.startsWith(`<${id}.1.invitation@`) === true);
    await anybody.callSuccessfully('POST', '/guardian-invitations/accept', { token: tokenIn(invitation) });
    return id;
  }

  /** A student is created, signs in by a code, hands something in at an exam, and a guardian accepts an invitation. */
  async function lesson(): Promise<void> {
    teacherId ??= (await school().callSuccessfully('POST', '/faculty', { full_name: 'Emmy Noether' })).id;
    const student = await createStudent();
    const group = await school().callSuccessfully('POST', '/groups', { name: 'Class 7b', student_ids: [student.id] });
    const exam = await school().callSuccessfully('POST', '/exams', { faculty_id: teacherId, title: 'Algebra', time_limit_minutes: 90, group_ids: [group.id] });
    const app = await signInByCode(student.login_email);
    const { id: attempt } = await app.callSuccessfully('POST', `/app/exams/${exam.id}/attempts`);
    const contents = `The answer of ${student.id}`;
    const { data: file } = await app.upload(`/app/attempts/${attempt}/files`, 'answer.txt', Buffer.from(contents), { kind: 'attachment' });
    const submission = await app.callSuccessfully('POST', `/app/attempts/${attempt}/submit`, { attachments: [{ file: { id: file.file.id }, name: 'answer.txt' }] });
    const submissionId: string = submission.id ?? submission.submission_id;
    const { attachments: [{ url }] } = await school().callSuccessfully('GET', `/submissions/${submissionId}`);
    await school().callSuccessfully('POST', `/submissions/${submissionId}/grade`, { score: 80 });
    const guardianLinkId = await inviteGuardian(student.id);
    await app.callSuccessfully('DELETE', '/sign-in/sessions/current');
    lessons.push({ studentId: student.id, submissionId, guardianLinkId, fileUrl: url, contents });
  }

  /** The list of students is walked, a page at a time. */
  async function walk(): Promise<void> {
    const page = await school().callSuccessfully('GET', `/students?limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    cursor = page.next_cursor ?? null;
  }

  async function fetchFile(): Promise<void> {
    const wanted = lessons.at(-1);
    if (wanted === undefined) return;
    const { status, bytes } = await download(wanted.fileUrl);
    if (status !== 200 || bytes.toString() !== wanted.contents) throw new Error(`The file of ${wanted.submissionId} answered ${status}`);
  }

  async function portal(): Promise<void> {
    const get = async (path: string): Promise<void> => {
      const { status } = await fetch(`${platformUrl}${path}`, { headers: { authorization: `Bearer ${credentials.platformToken}`, 'x-actor': institution.adminId } });
      if (status !== 200) throw new Error(`GET ${path} for the portal answered ${status}`);
    };
    for (const path of ['keys', 'developers', 'webhook-endpoints', 'settings']) await get(`/institutions/${institution.id}/${path}`);
  }

  async function support(): Promise<void> {
    const person = as(credentials.staffToken);
    await person.callSuccessfully('GET', `/institutions/${institution.id}/deliveries?limit=5`);
    await person.callSuccessfully('GET', `/search?q=${institution.id}`);
  }

  /** A page of the console, and a form of it. */
  async function consolePage(): Promise<void> {
    const headers = { cookie: credentials.consoleSession };
    const page = await fetch(`${platformOrigin}/console/institutions/${institution.id}`, { headers, redirect: 'manual' });
    if (page.status !== 200) throw new Error(`A page of the console answered ${page.status}`);
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
    const acted = await fetch(`${platformOrigin}/console/deliveries/whd_none/retry`, { method: 'POST', headers, redirect: 'manual', body: new URLSearchParams({ form_token }) });
    // Refused in words on the next page, because there is no such delivery: the session and its form were accepted.
    if (acted.status !== 303) throw new Error(`A form of the console answered ${acted.status}`);
  }

  const consoleSignIn = async (): Promise<void> => {
    await signInByProvider(platformOrigin, consoleSub);
  };

  const activities = { lesson, walk, fetchFile, portal, support, consolePage, consoleSignIn };

  async function repeat(name: string, activity: () => Promise<void>): Promise<void> {
    while (!stopped) {
      await activity().catch((error: unknown) => failures.push(`${name}: ${failureText(error)}`));
      done.set(name, (done.get(name) ?? 0) + 1);
      await pause(pauseMs);
    }
  }

  const loops = Object.entries(activities).map(([name, activity]) => repeat(name, activity));
  return {
    failures,
    done,
    lessons,
    students,
    onceMore: async () => {
      const before = new Map(done);
      const isOver = (name: string): boolean => (done.get(name) ?? 0) >= (before.get(name) ?? 0) + 2;
      await eventually('every activity once more', () => Object.keys(activities).every(isOver));
    },
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
  };
}
