import { receiverPort } from '../environment';
import { dayText, type PlayedDay } from './calendar';
import type { Desk } from './institutionClient';
import { decideBatch, moveMoney, redeem, type Decision } from './money';
import type { Mailbox } from './mailbox';
import { inviteGuardians } from './guardians';
import { award, enroll, makeCurriculum, tellProgress, type Learner } from './learning';
import { holdExam } from './exams';
import { signIn, type Person } from './people';

/** One institution through the week: what a day needs to know of those before it. */
export interface School {
  readonly desk: Desk;
  /** The path of the receiver that its endpoint leads to. */
  readonly path: string;
  readonly endpointId: string;
  readonly adminId: string;
  readonly teacherId: string;
  readonly curriculumId: string;
  /** Those of the first day, who learn on every day. */
  readonly regulars: Learner[];
  /** The exam of the day before, which is closed. */
  lastExamId: string | undefined;
  /** The approved batch of the day before, of which a coupon is redeemed. */
  lastBatchId: string | undefined;
}

/** Students who come on each day; two of them sign in. */
const newcomers = 10;
const changesOfEach = 3;
const allowanceCents = 1_000_000;

const decisions: readonly Decision[] = ['approve', 'reject', 'leave'];

/** An institution with a teacher, an endpoint for every event, a curriculum, an allowance and a developer who never answers. */
export async function openSchool(desk: Desk, nth: number): Promise<School> {
  const { institution, book } = desk;
  const { admin } = await desk.platform<{ admin: { id: string } }>('GET', `/institutions/${institution.id}`);
  book.note('faculty');
  book.note('licenses');
  const teacher = await desk.key<{ id: string }>('POST', '/faculty', { full_name: 'Grace Hopper' });
  book.note('faculty');
  book.note('licenses');
  const path = `/hooks/week/${nth}`;
  const endpoint = await desk.key<{ id: string }>('POST', '/webhooks/endpoints', { url: `http://127.0.0.1:${receiverPort}${path}`, events: ['*'] });
  await desk.platform('PUT', `/institutions/${institution.id}/allowance`, { allowance_cents: allowanceCents });
  book.note('moves of money');
  await desk.platform('POST', `/institutions/${institution.id}/developers`, { email: `developer@mail${nth}.example`, name: 'Linus' }, admin.id);
  book.note('developers');
  const curriculumId = await makeCurriculum(desk, admin.id);
  return { desk, path, endpointId: endpoint.id, adminId: admin.id, teacherId: teacher.id, curriculumId, regulars: [], lastExamId: undefined, lastBatchId: undefined };
}

/** Students in one call, and a group of them; two sign in with an app, the first of whom has a seat to beat from. */
async function admit({ desk, teacherId }: School, day: PlayedDay, mailbox: Mailbox): Promise<{ people: Person[]; studentIds: string[]; groupId: string }> {
  const { loginDomain } = desk.institution;
  const addresses = Array.from({ length: newcomers }, (_, nth) => `student${nth}.${dayText(day)}@mail.${loginDomain}`);
  const { created, results } = await desk.key<{ created: number; results: { index: number; id: string; login_email: string }[] }>('POST', '/students/bulk', {
    students: addresses.map((personal_email, nth) => ({ full_name: `Student ${nth}`, personal_email })),
  });
  if (created !== newcomers) throw new Error(`${created} of ${newcomers} students were created`);
  desk.book.note('students', created);
  desk.book.note('licenses', created);
  const studentIds = results.map(({ id }) => id);
  const group = await desk.key<{ id: string }>('POST', '/groups', { name: `Class of ${dayText(day)}`, faculty_id: teacherId, student_ids: studentIds });
  desk.book.note('members of groups', newcomers);
  const people: Person[] = [];
  for (const { index, id, login_email: loginEmail } of results.slice(0, 2)) people.push(await signIn(desk, mailbox, { id, loginEmail, address: addresses[index] ?? '' }));
  return { people, studentIds, groupId: group.id };
}

/** What the institution's own system does all day: it changes students, each of which is an event, and reads them back. */
async function keepInStep(desk: Desk, studentIds: readonly string[]): Promise<void> {
  for (let time = 1; time <= changesOfEach; time += 1) {
    for (const id of studentIds) await desk.key('PATCH', `/students/${id}`, { full_name: `Student, ${time}. name` });
    await desk.key('GET', '/students?limit=200');
    await desk.key('GET', '/events?limit=200');
  }
}

/** One day of a school; answers the student whose license is to run out. */
export async function playDay(school: School, day: PlayedDay, mailbox: Mailbox): Promise<string> {
  const { desk, regulars, curriculumId } = school;
  const { people, studentIds, groupId } = await admit(school, day, mailbox);
  const [first, second] = people;
  if (first === undefined || second === undefined) throw new Error('Two students are to sign in');
  school.lastExamId = await holdExam(school, day, { groupId, hasDone: first, stays: second });
  await moveMoney(desk, day, first);
  if (school.lastBatchId !== undefined) await redeem(desk, school.lastBatchId, first);
  school.lastBatchId = await decideBatch(desk, day, decisions[(day.number - 1) % decisions.length] ?? 'leave');
  await inviteGuardians(desk, day, mailbox, people);
  const learners = await enroll(desk, curriculumId, people);
  for (const learner of [...learners, ...regulars]) await tellProgress(desk, day, learner);
  await award(desk, day, first);
  for (const { session } of [...regulars, ...people]) await desk.person(session, 'POST', '/app/heartbeat', { app_version: '2.4.1' });
  await keepInStep(desk, studentIds);
  if (regulars.length === 0) regulars.push(...learners);
  return studentIds.at(-1) ?? '';
}
