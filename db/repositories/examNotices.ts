import type { InstitutionScope } from '../database';
import { statement } from '../statement';

/** An assignment that has just got its notice number, with the members that its group has now. */
export interface AnnouncedAssignment {
  group_id: string;
  notice: number;
  student_count: number;
}

const numberNew = statement(
  'exam_number_new_assignments',
  `WITH numbered AS (
     UPDATE exams e SET last_notice = e.last_notice + 1
      WHERE e.institution_id = $1 AND e.id = $2 AND e.status = 'published'
        AND EXISTS (SELECT 1 FROM exam_assignments a WHERE a.exam_id = e.id AND a.notice IS NULL)
      RETURNING e.last_notice
   ), noted AS (
     INSERT INTO exam_notices (exam_id, number, institution_id, created_at) SELECT $2, last_notice, $1, $3 FROM numbered
   ), announced AS (
     UPDATE exam_assignments a SET notice = n.last_notice FROM numbered n
      WHERE a.institution_id = $1 AND a.exam_id = $2 AND a.notice IS NULL RETURNING a.group_id, a.notice
   )
   SELECT group_id, notice, (SELECT count(*)::int FROM group_members m WHERE m.group_id = announced.group_id) AS student_count
     FROM announced ORDER BY group_id`,
);

/** Gives the assignments of a published exam that have no notice number the next one, and opens that notice. */
export function numberNewAssignments(scope: InstitutionScope, examId: string, now: Date): Promise<AnnouncedAssignment[]> {
  return scope.sql<AnnouncedAssignment>(numberNew, [scope.institutionId, examId, now]);
}
