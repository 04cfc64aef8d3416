import { invitationToken } from '../../domain/guardians/invitation';
import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from '../support/api';
import { inviteDeveloper } from '../support/developers';
import { seedExamAttempt } from '../support/seed/submissions';
import { acceptInvitation, newGuardianEmail, guardianSession, inviteGuardian } from '../support/guardians';
import { addStaffMember, type StaffMember } from '../support/staff';
import type { SeededIds } from './resources';

/** The token of each kind of caller of the platform API. */
export type Tokens = Readonly<Record<'platform' | 'student' | 'faculty' | 'guardian', string>>;

const many = { kept: 4, spare: 12 };

/** Things that the public API does not name: institutions, keys, developers, people of the staff with their tokens, attempts in progress of the student who calls. */
async function seedPlatformUse(api: TestApi, institution: TestInstitution, seeded: SeededIds, use: keyof SeededIds): Promise<SeededIds['kept']> {
  const { exam, student } = seeded[use];
  const each = async (create: () => Promise<string>): Promise<string[]> => {
    const ids: string[] = [];
    for (let nth = 0; nth < many[use]; nth += 1) ids.push(await create());
    return ids;
  };
  const studentId = student?.[0] ?? '';
  const key = async (): Promise<string> => {
    const { data } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'Fuzzed', scopes: ['students:read'] } });
    return data.key_id;
  };
  const staff: StaffMember[] = [];
  for (let nth = 0; nth < many[use]; nth += 1) staff.push(await addStaffMember(api));
  return {
    ...seeded[use],
    staff: staff.map(({ id }) => id),
    staffToken: staff.map(({ tokenId }) => tokenId),
    institution: use === 'kept' ? [institution.id] : await each(async () => (await api.institution()).id),
    key: await each(key),
    developer: await each(async () => (await inviteDeveloper(api, institution)).data.id),
    attempt: await Promise.all((exam ?? []).slice(0, many[use]).map((examId) => seedExamAttempt(api, institution, { examId, studentId }))),
  };
}

/** Adds what only the platform API names. */
export async function seedPlatformResources(api: TestApi, institution: TestInstitution, seeded: SeededIds): Promise<SeededIds> {
  const kept = await seedPlatformUse(api, institution, seeded, 'kept');
  return { kept, spare: await seedPlatformUse(api, institution, seeded, 'spare') };
}

/** Sessions of a student, the admin and a guardian of that student, and the platform's own token. Needs a worker. */
export async function openTokens(api: TestApi, institution: TestInstitution, { student = [] }: SeededIds['kept']): Promise<Tokens> {
  const [studentId = ''] = student;
  const open = async (id: string, kind: 'student' | 'faculty'): Promise<string> =>
    (await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, id, kind))).token;
  const address = newGuardianEmail();
  const { data } = await inviteGuardian(api, institution, studentId, address);
  await acceptInvitation(api, invitationToken(api.api.domain.secrets, { linkId: data.id, invitation: 1 }));
  return {
    platform: api.settings.platformToken,
    student: await open(studentId, 'student'),
    faculty: await open(institution.adminId, 'faculty'),
    guardian: await guardianSession(api, address),
  };
}
