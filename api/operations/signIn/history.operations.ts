import type Joi from 'joi';
import { findFaculty } from '../../../db/repositories/faculty/faculty';
import { listSignIns, type SignInRow } from '../../../db/repositories/signIn/signIns';
import type { InstitutionScope } from '../../../db/database';
import { requireFound } from '../../../domain/errors';
import type { Transaction } from '../../../domain/context';
import { unlockDeveloper, unlockFaculty, unlockGuardian, unlockStudent } from '../../../domain/signIn/unlockAccount';
import { requireStudent } from '../../../domain/students/requireStudent';
import { operation, type Operation } from '../../http/operation';
import { listOf, pagingQuery, personParams, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { developerParams } from '../developers/developers.schemas';
import { facultyParams } from '../faculty/faculty.schemas';
import { guardianParams } from '../guardians/guardians.schemas';
import { signInSchema, unlockedSchema } from './history.schemas';

const presentSignIn = ({ at, ...row }: SignInRow) => ({ ...row, at: at.toISOString() });

const signInsOf = async (reads: InstitutionScope, userId: string, query: Paging) => presentPage(await listSignIns(reads, userId, query), query, presentSignIn);

const historyDescription = 'Kept for a year. Sign-ins by a code of the mailbox, and failed tries at one; requests for codes are not among them.';

const unlockDescription =
  'Ten wrong tries in a day lock an account for an hour after the last one. This lifts the lock: the wrong tries and the codes sent so far are forgotten, and a new code can be asked for at once.';

interface Unlocking {
  path: string;
  operationId: string;
  tag: string;
  params: Joi.ObjectSchema<IdParams>;
  /** An id in the response. */
  example: string;
}

/** The end of a person's lock. */
const unlockOperation = (kind: string, { path, operationId, tag, params, example }: Unlocking, unlock: (tx: Transaction, id: string) => Promise<string>): Operation =>
  operation({
    method: 'POST',
    path,
    operationId,
    tag,
    access: { portal: ['admin'], duringOffboarding: true },
    institution: 'caller',
    summary: `Lift the lock of a ${kind} whose codes were tried wrongly too often.`,
    description: unlockDescription,
    request: { params },
    response: unlockedSchema(example),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params: { id }, tx }) => ({ id: await unlock(tx, id), unlocked: true as const }),
  });

/** The sign-ins of people, and the end of a lock. Keys lift no lock: anyone who has one could go on guessing codes. */
export const signInHistory = [
  operation({
    method: 'GET',
    path: '/students/:id/sign-ins',
    operationId: 'listStudentSignIns',
    tag: 'Students',
    access: { key: 'students:read' },
    summary: 'List the sign-ins of a student and the failed tries, newest first.',
    description: historyDescription,
    request: { params: personParams, query: pagingQuery },
    response: listOf(signInSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads }) => signInsOf(reads, (await requireStudent(reads, params.id)).id, query),
  }),
  operation({
    method: 'GET',
    path: '/faculty/:id/sign-ins',
    operationId: 'listFacultySignIns',
    tag: 'Faculty',
    access: { key: 'faculty:read' },
    summary: 'List the sign-ins of a faculty member and the failed tries, newest first.',
    description: historyDescription,
    request: { params: facultyParams, query: pagingQuery },
    response: listOf(signInSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads }) => {
      const member = requireFound(await findFaculty(reads, params.id), 'faculty member');
      return signInsOf(reads, member.id, query);
    },
  }),
  unlockOperation('student', { path: '/students/:id/unlock', operationId: 'unlockStudent', tag: 'Students', params: personParams, example: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr' }, unlockStudent),
  unlockOperation('faculty member', { path: '/faculty/:id/unlock', operationId: 'unlockFaculty', tag: 'Faculty', params: facultyParams, example: 'fac_01jd4k6f2mep2s5xg5yhc8m1zr' }, unlockFaculty),
  unlockOperation('guardian', { path: '/guardians/:id/unlock', operationId: 'unlockGuardian', tag: 'Guardians', params: guardianParams, example: 'gdn_01jd4k6f2mep2s5xg5yhc8m1zr' }, unlockGuardian),
  unlockOperation('developer', { path: '/developers/:id/unlock', operationId: 'unlockDeveloper', tag: 'Developers', params: developerParams, example: 'dev_01jd4k6f2mep2s5xg5yhc8m1zr' }, unlockDeveloper),
];
