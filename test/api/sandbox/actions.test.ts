import { createCodes } from '../../../domain/coupons/createCodes';
import { transact } from '../../../domain/transact';
import { realActors, sandboxActors, type Actors } from '../../support/actors';
import { systemCaller, type ApiResponse, type TestInstitution } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { chainOf } from '../../support/curricula';
import { deviceNamed, newStudent, type Person } from '../../support/devices';
import { eventsDuring } from '../../support/events';
import { inviteGuardian, newGuardianEmail } from '../../support/guardians';

const { api, institution } = apiFixture();

/** Returns the data of a response; fails unless it is 200. */
async function dataOf(response: Promise<ApiResponse>): Promise<ApiResponse['data']> {
  const { status, body, data } = await response;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return data;
}

const post = ({ apiKey }: TestInstitution, path: string, body: object) => dataOf(api.call('POST', path, { key: apiKey, body }));

/** A student who has signed in. */
async function signedInStudent(on: TestInstitution, actors: Actors): Promise<Person> {
  const student = await newStudent(api, on);
  await dataOf(actors.signIn(student));
  return student;
}

/** An attempt of a signed-in student at an exam of 60 minutes. */
async function attemptOf(on: TestInstitution, actors: Actors, student: Person): Promise<{ id: string; exam_id: string }> {
  const group = await post(on, '/groups', { name: 'Class', faculty_id: on.adminId, student_ids: [student.id] });
  const exam = await post(on, '/exams', { faculty_id: on.adminId, title: 'Algebra', time_limit_minutes: 60, group_ids: [group.id] });
  return dataOf(actors.startAttempt(student, exam.id));
}

const focusEvents = [
  { id: '1', type: 'focus_lost', at: '2026-11-20T09:41:00.000Z' },
  { id: '2', type: 'focus_gained', at: '2026-11-20T09:41:07.250Z', detail: { away_seconds: 7.25 } },
];

const invitedLink = async (on: TestInstitution) => dataOf(inviteGuardian(api, on, (await newStudent(api, on)).id, newGuardianEmail()));

/** Everything that a person causes, each once as in the field and once by a test key, with the types of the events. */
const flows: Record<string, { types: string[]; go: (on: TestInstitution, actors: Actors) => Promise<unknown> }> = {
  'a first sign-in on a device': {
    types: ['student.created', 'license.generated', 'student.updated', 'license.device_registered'],
    go: async (on, { signIn }) => dataOf(signIn(await newStudent(api, on), { app: 'svcapp', device: deviceNamed('Ada') })),
  },
  'a first sign-in with an address that the student names': {
    types: ['student.created', 'license.generated', 'student.updated', 'student.email_mapped'],
    go: async (on, { signIn }) => dataOf(signIn(await post(on, '/students', {}), { personal_email: 'ada@mail.example' })),
  },
  'an attempt with events and files, and its submission': {
    types: ['student.created', 'license.generated', 'student.updated', 'exam.published', 'exam.assigned', 'exam.attempt_started', 'exam.submitted'],
    go: async (on, actors) => {
      const student = await signedInStudent(on, actors);
      const { id } = await attemptOf(on, actors, student);
      await dataOf(actors.recordEvents(student, id, focusEvents));
      const { file } = await dataOf(actors.upload(student, id, 'attachment'));
      await dataOf(actors.upload(student, id, 'recording'));
      await dataOf(actors.submit(student, id, { text: 'The answer is 42.', attachments: [{ file, name: 'essay.pdf' }] }));
    },
  },
  'progress that completes a curriculum': {
    types: ['student.created', 'license.generated', 'student.updated', 'alpha.badge_granted', 'alpha.badge_granted'],
    go: async (on, actors) => {
      const student = await signedInStudent(on, actors);
      const { id: curriculum_id } = await dataOf(actors.publishCurriculum({ title: 'Fractions', concepts: chainOf(1) }));
      const { enrollments } = await post(on, '/alpha/enrollments', { curriculum_id, student_ids: [student.id] });
      await dataOf(actors.reportProgress(student, { enrollment_id: enrollments[0].id, concept_id: 'c1', score: 90, minutes: 30, ref: 'session-1' }));
    },
  },
  'a guardian who accepts and signs in': {
    types: ['student.created', 'license.generated', 'guardian.invited', 'guardian.verified'],
    go: async (on, actors) => {
      const link = await invitedLink(on);
      await dataOf(actors.acceptInvitation(link));
      await dataOf(actors.signInGuardian(link));
    },
  },
  'an approved batch, whose coupon a student redeems': {
    types: ['student.created', 'license.generated', 'student.updated', 'coupon.batch_requested', 'coupon.batch_approved', 'merits.credited', 'coupon.redeemed'],
    go: async (on, actors) => {
      const student = await signedInStudent(on, actors);
      const { id } = await post(on, '/coupons/batches', { name: 'Prizes', total_coupons: 1, value_cents: 500, expiry_date: '2031-06-30T22:00:00Z' });
      await dataOf(actors.decideBatch(id, 'approve'));
      // What the workflow of the batch does then.
      await transact(api.api.domain, systemCaller(on.id), (tx) => createCodes(tx, id));
      const { codes } = await dataOf(api.call('GET', `/coupons/batches/${id}`, { key: on.apiKey }));
      await dataOf(actors.redeem(student, codes[0].code));
    },
  },
  'a rejected batch': {
    types: ['coupon.batch_requested'],
    go: async (on, { decideBatch }) => {
      const { id } = await post(on, '/coupons/batches', { name: 'Prizes', total_coupons: 1, value_cents: 500, expiry_date: '2031-06-30T22:00:00Z' });
      await dataOf(decideBatch(id, 'reject', { reason: 'Too many' }));
    },
  },
  'an expired license': {
    types: ['student.created', 'license.generated', 'license.expired'],
    go: async (on, { expireLicense }) => expireLicense((await newStudent(api, on)).license.id),
  },
};

/** What is the same of two runs: all but ids, login emails and times. */
const comparable = (list: unknown): unknown =>
  JSON.parse(JSON.stringify(list).replaceAll(/"[a-z]+_[0-9a-z]{26}"/g, '"id"').replaceAll(/student\d+\.[0-9a-f]{8}@[\w.]+/g, 'email').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'));

describe('what a test key causes has the events of the real caller', () => {
  it.each(Object.entries(flows))('%s', async (_name, { types, go }) => {
    const sandbox = await api.sandboxOf(institution);
    const real = await eventsDuring(api, institution, () => go(institution, realActors(api, institution)));
    const test = await eventsDuring(api, sandbox, () => go(sandbox, sandboxActors(api, sandbox)));
    expect(real.map(({ type }) => type)).toEqual(types);
    expect(comparable(test)).toEqual(comparable(real));
  });
});
