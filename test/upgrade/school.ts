import { Mailbox } from '../../bench/week/mailbox';
import { scopes } from '../../domain/scopes';
import type { Receiver } from '../support/receiver';
import type { Caller } from './calls';

/** A student whose app has a session. */
interface Person {
  id: string;
  loginEmail: string;
  session: string;
}

/** The institution of the trial, and who calls for it. */
export interface School {
  id: string;
  adminId: string;
  teacherId: string;
  groupId: string;
  studentIds: string[];
  /** Some of its students, with sessions of an app. */
  people: Person[];
  /** The endpoint whose receiver takes everything. */
  endpointId: string;
  /** That of the receiver that fails until the end, for exams alone. */
  failingEndpointId: string;
  mailbox: Mailbox;
  /** A call of the institution's system. */
  key<Data>(operation: string, path: string, body?: object): Promise<Data>;
  /** A call of the platform's own tools. */
  platform<Data>(operation: string, path: string, body?: object): Promise<Data>;
  /** A call of the portal, on behalf of the admin. */
  portal<Data>(operation: string, path: string, body?: object): Promise<Data>;
  /** A call of somebody's app. */
  person<Data>(session: string | undefined, operation: string, path: string, body?: object): Promise<Data>;
}

interface Entry {
  index: number;
  id: string;
  login_email: string;
}

/** The event types of the endpoint whose receiver takes everything. */
export const events = ['student.created', 'student.updated', 'exam.published', 'exam.submitted', 'exam.graded'];

const studentCount = 40;
/** More than two or three: what apps send together is of many people, and a person has four calls under way at most. */
const peopleCount = 20;
const domain = 'upgrade.example';

/** The method that an operation's name begins with. */
const methodOf = (operation: string): string => operation.split(' ', 1)[0] ?? 'GET';

/** Signs a student's app in with the code of an email. */
async function signIn(school: Pick<School, 'person' | 'mailbox'>, { id, loginEmail, address }: { id: string; loginEmail: string; address: string }): Promise<Person> {
  await school.person(undefined, 'POST /sign-in/codes', '/sign-in/codes', { login_email: loginEmail });
  const code = await school.mailbox.codeFor(address);
  const device = { id: `device of ${id}`, name: 'Laptop', platform: 'linux', app_version: '2.4.0' };
  const { session } = await school.person<{ session: string }>(undefined, 'POST /sign-in/sessions', '/sign-in/sessions', { login_email: loginEmail, code, app: 'svcapp', device });
  return { id, loginEmail, session };
}

/** The service that it is opened at. */
interface OpenedAt {
  apiUrl: string;
  platformUrl: string;
  environment: NodeJS.ProcessEnv;
  stores: { mailDir: string };
}

/** Makes an approved institution with a teacher, students, a group, two endpoints and two signed-in students, by calls alone: any release can. */
export async function openSchool(caller: Caller, service: OpenedAt, receivers: { taking: Receiver; failing: Receiver }): Promise<School> {
  const token = service.environment.PLATFORM_TOKEN;
  const asPlatform = <Data>(operation: string, path: string, body?: object, actor?: string): Promise<Data> =>
    caller.call(operation, methodOf(operation), service.platformUrl + path, { token, ...(body === undefined ? {} : { body }), ...(actor === undefined ? {} : { headers: { 'x-actor': actor } }) });
  const { id } = await asPlatform<{ id: string }>('POST /institutions', '/institutions', { name: 'Upgrade School', login_domain: domain, admin_email: `admin@${domain}`, admin_name: 'Admin', allowance_cents: 1_000_000 });
  await asPlatform('POST /institutions/{id}/approve', `/institutions/${id}/approve`, {});
  const { admin } = await asPlatform<{ admin: { id: string } }>('GET /institutions/{id}', `/institutions/${id}`);
  // The limit of one key, 6,000 a minute, is what 100 calls a second come to: who catches up after a pause would be refused by it.
  const keys: string[] = [];
  for (const name of ['Trial', 'Trial as well']) {
    const made = await asPlatform<{ api_key: string }>('POST /institutions/{id}/keys', `/institutions/${id}/keys`, { name, scopes: scopes.map(({ scope }) => scope), rate_limit_per_min: 6_000 });
    keys.push(made.api_key);
  }
  let calls = 0;
  const key: School['key'] = (operation, path, body) => {
    calls += 1;
    return caller.call(operation, methodOf(operation), service.apiUrl + path, { token: keys[calls % keys.length], ...(body === undefined ? {} : { body }) });
  };
  const person: School['person'] = (session, operation, path, body) =>
    caller.call(operation, methodOf(operation), service.platformUrl + path, { token: session, ...(body === undefined ? {} : { body }) });
  const mailbox = new Mailbox(service.stores.mailDir);
  const teacher = await key<{ id: string }>('POST /faculty', '/faculty', { full_name: 'Grace Hopper' });
  const addressOf = (nth: number): string => `student${nth}@mail.${domain}`;
  const { results } = await key<{ results: Entry[] }>('POST /students/bulk', '/students/bulk', {
    students: Array.from({ length: studentCount }, (_, nth) => ({ full_name: `Student ${nth}`, personal_email: addressOf(nth) })),
  });
  const studentIds = results.map((entry) => entry.id);
  const group = await key<{ id: string }>('POST /groups', '/groups', { name: 'Class', faculty_id: teacher.id, student_ids: studentIds.slice(0, 5) });
  const endpoint = await key<{ id: string }>('POST /webhooks/endpoints', '/webhooks/endpoints', { url: receivers.taking.url, events });
  const failing = await key<{ id: string }>('POST /webhooks/endpoints', '/webhooks/endpoints', { url: receivers.failing.url, events: ['exam.published'] });
  const people: Person[] = [];
  for (const { index, id: studentId, login_email: loginEmail } of results.slice(0, peopleCount)) people.push(await signIn({ person, mailbox }, { id: studentId, loginEmail, address: addressOf(index) }));
  return {
    id, adminId: admin.id, teacherId: teacher.id, groupId: group.id, studentIds, people, endpointId: endpoint.id, failingEndpointId: failing.id, mailbox, key, person,
    platform: (operation, path, body) => asPlatform(operation, path, body),
    portal: (operation, path, body) => asPlatform(operation, path, body, admin.id),
  };
}
