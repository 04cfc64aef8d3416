import type { InstitutionScope } from '../../../db/database';
import { listAssignedGroups } from '../../../db/repositories/exams/assignments';
import { findExamDetail } from '../../../db/repositories/exams/exams';
import { readExamStats } from '../../../db/repositories/exams/stats';
import { notFound } from '../../../domain/errors';
import { maxGroups } from '../../../domain/exams/limits';
import { presentExam } from './exams.presenter';
import type { ExamResponse } from './exams.schemas';

/** Returns one exam in full; `not_found` if the institution has no exam with this id. */
export async function presentExamDetails(scope: InstitutionScope, id: string): Promise<ExamResponse> {
  const exam = await findExamDetail(scope, id);
  if (exam === undefined) throw notFound('exam');
  const { rows: groups } = await listAssignedGroups(scope, id, { page: 1, limit: maxGroups });
  return presentExam({ exam, groups, stats: await readExamStats(scope, id) });
}
