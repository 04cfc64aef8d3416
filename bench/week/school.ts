import { receiverPort } from '../environment';
import { formatDay, type SimulatedDay } from './calendar';
import type { InstitutionClient } from './institutionClient';
import { decideBatch, moveMoney, redeem, type Decision } from './money';
import type { Mailbox } from './mailbox';
import { inviteGuardians } from './guardians';
import { awardPoints, enroll, createCurriculum, reportProgress, type Learner } from './learning';
import { holdExam } from './exams';
import { signIn, type Person } from './people';

/** One institution during the week, with what a day needs from the days before. */
export interface School {
  readonly client: InstitutionClient;
  /** The receiver's path of its endpoint. */
  readonly path: string;
  readonly endpointId: string;
  readonly adminId: string;
  readonly teacherId: string;
  readonly curriculumId: string;
  /** The students of the first day, who learn on every day. */
  readonly dailyLearners: Learner[];
  /** The exam of the day before, to be closed. */
  lastExamId: string | undefined;
  /** The approved batch of the day before, of which a coupon is redeemed. */
  lastBatchId: string | undefined;
}

/** Students added on each day; two of them sign in. */
const newStudentsPerDay = 10;
const changesPerStudent = 3;
const allowanceCents = 1_000_000;

const decisions: readonly Decision[] = ['approve', 'reject', 'leave'];

/** Creates an institution with a teacher, an endpoint for every event, a curriculum, an allowance and a developer who never accepts. */
export async function createSchool(client: InstitutionClient, nth: number): Promise<School> {
  const { institution, counts } = client;
  const { admin } = await client.platform<{ admin: { id: string } }>('GET', `/institutions/${institution.id}`);
  counts.add('faculty');
  counts.add('licenses');
  const teacher = await client.key<{ id: string }>('POST', '/faculty', { full_name: 'Grace Hopper' });
  counts.add('faculty');
  counts.add('licenses');
  const path = `/hooks/week/${nth}`;
  const endpoint = await client.key<{ id: string }>('POST', '/webhooks/endpoints', { url: `http://127.0.0.1:${receiverPort}${path}`, events: ['*'] });
  await client.platform('PUT', `/institutions/${institution.id}/allowance`, { allowance_cents: allowanceCents });
  counts.add('moves of money');
  await client.platform('POST', `/institutions/${institution.id}/developers`, { email: `developer@mail${nth}.example`, name: 'Linus' }, admin.id);
  counts.add('developers');
  const curriculumId = await createCurriculum(client, admin.id);
  return { client, path, endpointId: endpoint.id, adminId: admin.id, teacherId: teacher.id, curriculumId, dailyLearners: [], lastExamId: undefined, lastBatchId: undefined };
}

/** Creates students in one call, and a group of them; two sign in with an app, and the first gets a seat for heartbeats. */
async function addStudents({ client, teacherId }: School, day: SimulatedDay, mailbox: Mailbox): Promise<{ people: Person[]; studentIds: string[]; groupId: string }> {
  const { loginDomain } = client.institution;
  const addresses = Array.from({ length: newStudentsPerDay }, (_, nth) => `student${nth}.${formatDay(day)}@mail.${loginDomain}`);
  const { created, results } = await client.key<{ created: number; results: { index: number; id: string; login_email: string }[] }>('POST', '/students/bulk', {
    students: addresses.map((personal_email, nth) => ({ full_name: `Student ${nth}`, personal_email })),
  });
  if (created !== newStudentsPerDay) throw new Error(`${created} of ${newStudentsPerDay} students were created`);
  client.counts.add('students', created);
  client.counts.add('licenses', created);
  const studentIds = results.map(({ id }) => id);
  const group = await client.key<{ id: string }>('POST', '/groups', { name: `Class of ${formatDay(day)}`, faculty_id: teacherId, student_ids: studentIds });
  client.counts.add('members of groups', newStudentsPerDay);
  const people: Person[] = [];
  for (const { index, id, login_email: loginEmail } of results.slice(0, 2)) people.push(await signIn(client, mailbox, { id, loginEmail, address: addresses[index] ?? '' }));
  return { people, studentIds, groupId: group.id };
}

/** Simulates the institution's own system: updates students, each of which causes an event, and reads them. */
async function syncStudents(client: InstitutionClient, studentIds: readonly string[]): Promise<void> {
  for (let time = 1; time <= changesPerStudent; time += 1) {
    for (const id of studentIds) await client.key('PATCH', `/students/${id}`, { full_name: `Student, ${time}. name` });
    await client.key('GET', '/students?limit=200');
    await client.key('GET', '/events?limit=200');
  }
}

/** Runs one day of a school; returns the student whose license expires. */
export async function runSchoolDay(school: School, day: SimulatedDay, mailbox: Mailbox): Promise<string> {
  const { client, dailyLearners, curriculumId } = school;
  const { people, studentIds, groupId } = await addStudents(school, day, mailbox);
  const [first, second] = people;
  if (first === undefined || second === undefined) throw new Error('Two students must sign in');
  school.lastExamId = await holdExam(school, day, { groupId, submitter: first, abandoner: second });
  await moveMoney(client, day, first);
  if (school.lastBatchId !== undefined) await redeem(client, school.lastBatchId, first);
  school.lastBatchId = await decideBatch(client, day, decisions[(day.number - 1) % decisions.length] ?? 'leave');
  await inviteGuardians(client, day, mailbox, people);
  const learners = await enroll(client, curriculumId, people);
  for (const learner of [...learners, ...dailyLearners]) await reportProgress(client, day, learner);
  await awardPoints(client, day, first);
  for (const { session } of [...dailyLearners, ...people]) await client.person(session, 'POST', '/app/heartbeat', { app_version: '2.4.1' });
  await syncStudents(client, studentIds);
  if (dailyLearners.length === 0) dailyLearners.push(...learners);
  return studentIds.at(-1) ?? '';
}
