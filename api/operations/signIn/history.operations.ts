import { findFaculty } from '../../../db/repositories/faculty/faculty';
import { listSignIns, type SignInRow } from '../../../db/repositories/signIn/signIns';
import type { InstitutionScope } from '../../../db/database';
import { requireFound } from '../../../domain/errors';
import { unlockFaculty, unlockStudent } from '../../../domain/signIn/unlockAccount';
import { requireStudent } from '../../../domain/students/requireStudent';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, personParams, presentPage, type Paging } from '../../http/request/fields';
import { facultyParams } from '../faculty/faculty.schemas';
import { signInSchema, unlockedSchema } from './history.schemas';

const presentSignIn = ({ at, ...row }: SignInRow) => ({ ...row, at: at.toISOString() });

const signInsOf = async (reads: InstitutionScope, userId: string, query: Paging) => presentPage(await listSignIns(reads, userId, query), query, presentSignIn);

const historyDescription = 'Kept for a year. Sign-ins by a code of the mailbox, and failed tries at one; requests for codes are not among them.';

const unlockDescription =
  'Ten wrong tries in a day lock an account for an hour after the last one. This lifts the lock: the wrong tries and the codes sent so far are forgotten, and a new code can be asked for at once.';

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
  operation({
    method: 'POST',
    path: '/students/:id/unlock',
    operationId: 'unlockStudent',
    tag: 'Students',
    access: { portal: ['admin'] },
    institution: 'caller',
    summary: 'Lift the lock of a student whose codes were tried wrongly too often.',
    description: unlockDescription,
    request: { params: personParams },
    response: unlockedSchema('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => ({ id: await unlockStudent(tx, params.id), unlocked: true as const }),
  }),
  operation({
    method: 'POST',
    path: '/faculty/:id/unlock',
    operationId: 'unlockFaculty',
    tag: 'Faculty',
    access: { portal: ['admin'] },
    institution: 'caller',
    summary: 'Lift the lock of a faculty member whose codes were tried wrongly too often.',
    description: unlockDescription,
    request: { params: facultyParams },
    response: unlockedSchema('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => ({ id: await unlockFaculty(tx, params.id), unlocked: true as const }),
  }),
];
