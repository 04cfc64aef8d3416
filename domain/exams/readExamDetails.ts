import type { InstitutionScope } from '../../db/database';
import { listAssignedGroups, type AssignedGroupRow } from '../../db/repositories/exams/assignments';
import { findExamDetail, type ExamDetailRow } from '../../db/repositories/exams/exams';
import { readExamStats, type ExamStats } from '../../db/repositories/exams/stats';
import { requireFound } from '../errors';
import { maxGroups } from './limits';

/** One exam in full. */
export interface ExamDetails {
  exam: ExamDetailRow;
  groups: readonly AssignedGroupRow[];
  stats: ExamStats;
}

/** Returns an exam with its coding spec, groups and stats; `not_found`. */
export async function readExamDetails(scope: InstitutionScope, id: string): Promise<ExamDetails> {
  const exam = requireFound(await findExamDetail(scope, id), 'exam');
  const { rows: groups } = await listAssignedGroups(scope, id, { page: 1, limit: maxGroups });
  return { exam, groups, stats: await readExamStats(scope, id) };
}
