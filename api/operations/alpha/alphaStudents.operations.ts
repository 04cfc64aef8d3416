import Joi from 'joi';
import { listConceptStates } from '../../../db/repositories/alpha/mastery';
import { listLeaders } from '../../../db/repositories/alpha/students';
import { awardPoints } from '../../../domain/alpha/awardPoints';
import { withRanks } from '../../../domain/alpha/leaderboard';
import { readAlphaStudent, readStudentPoints } from '../../../domain/alpha/readAlphaStudent';
import { todayAndYesterday } from '../../../domain/alpha/today';
import { requireStudent } from '../../../domain/students/requireStudent';
import { operation } from '../../http/operation';
import { pagingQuery, personParams, presentPage, wholeNumber } from '../../http/request/fields';
import { presentPoints, presentStudentPoints } from './points.presenter';
import { awardedSchema, awardSchema, pointsSchema } from './points.schemas';
import { presentAlphaStudent, presentConceptState, presentLeader } from './alphaStudents.presenter';
import { drillDownSchema, leaderboardSchema, masterySchema } from './alphaStudents.schemas';

const tag = 'Alpha Learning';

export const alphaStudents = [
  operation({
    method: 'GET',
    path: '/alpha/students/:id',
    operationId: 'getAlphaStudent',
    tag,
    access: { key: 'alpha:read' },
    summary: 'Get a student\'s points, streak, badges, enrollments and last days.',
    request: { params: personParams },
    response: drillDownSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, reads, caller }) => presentAlphaStudent(await readAlphaStudent(reads, params.id, caller.now)),
  }),
  operation({
    method: 'GET',
    path: '/alpha/students/:id/mastery',
    operationId: 'listMastery',
    tag,
    access: { key: 'alpha:read' },
    summary: 'List a student\'s concepts with score and status.',
    description: 'Every concept of each curriculum that the student is or was enrolled in: the curriculum of the newest enrollment first, its concepts in their own order.',
    request: { params: personParams, query: pagingQuery },
    response: masterySchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads }) => {
      const student = await requireStudent(reads, params.id);
      return presentPage(await listConceptStates(reads, student.id, query), query, presentConceptState);
    },
  }),
  operation({
    method: 'GET',
    path: '/alpha/students/:id/points',
    operationId: 'getPoints',
    tag,
    access: { key: 'alpha:read' },
    summary: 'Get a student\'s points: stats, and one page of the ledger.',
    request: { params: personParams, query: pagingQuery },
    response: pointsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads }) => presentStudentPoints(await readStudentPoints(reads, params.id, query), query),
  }),
  operation({
    method: 'POST',
    path: '/alpha/students/:id/points',
    operationId: 'awardPoints',
    tag,
    access: { key: 'alpha:write' },
    summary: 'Award or deduct points; idempotent per `ref`.',
    description:
      'A repeat with the same student, points and note returns the first result, with `applied: false`. Conflict for a different request under the same ref, ' +
      'and for a deduction of more points than the student has. Emits alpha.points_awarded.',
    request: { params: personParams, body: awardSchema },
    response: awardedSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ params, body, tx }) => {
      const { entry, applied } = await awardPoints(tx, params.id, body);
      return { ...presentPoints(entry), applied };
    },
  }),
  operation({
    method: 'GET',
    path: '/alpha/leaderboard',
    operationId: 'getLeaderboard',
    tag,
    access: { key: 'alpha:read' },
    summary: 'The students with the most points; suspended ones and those without points are left out.',
    request: { query: Joi.object({ limit: wholeNumber(1, 100).default(10).description('So many students, 100 at most.').example(10) }) },
    response: leaderboardSchema,
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads, caller }) => {
      const days = await todayAndYesterday(reads, caller.now);
      return { items: withRanks(await listLeaders(reads, query.limit)).map((leader) => presentLeader(leader, days)) };
    },
  }),
];
