import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

const newestNumber = {
  we: statement('support_newest_backlog', 'SELECT backlog_run AS number FROM webhook_endpoints WHERE id = $1 AND backlog_run > 0'),
  gdn: statement('support_newest_guardian_invitation', 'SELECT invitation AS number FROM guardian_links WHERE id = $1'),
  dev: statement('support_newest_developer_invitation', 'SELECT invitation AS number FROM developers WHERE user_id = $1'),
  erase: statement('support_newest_erasure', "SELECT number FROM erasures WHERE person_id = substr($1, length('erase_') + 1) ORDER BY number DESC LIMIT 1"),
  export: statement('support_newest_export', "SELECT number FROM person_exports WHERE person_id = substr($1, length('export_') + 1) ORDER BY number DESC LIMIT 1"),
};

/** The prefixes of ids of which a workflow's id is the id and a number: an endpoint's backlogs, invitations of guardians and developers, erasures and exports of a person. */
export type NumberedPrefix = keyof typeof newestNumber;

/** Whether workflows of the things with this prefix are numbered. */
export const isNumberedPrefix = (prefix: string): prefix is NumberedPrefix => Object.hasOwn(newestNumber, prefix);

/** Returns the number of the newest workflow of a thing of any institution; undefined if it has had none, or there is no such thing. */
export async function findNewestNumber(sql: Sql, prefix: NumberedPrefix, id: string): Promise<number | undefined> {
  const [row] = await sql<{ number: number }>(newestNumber[prefix], [id]);
  return row?.number;
}

/** The newest notice of an exam and the newest run that ends its attempts; null where there has been none. */
export interface ExamWorkflows {
  /** 0 if there has been none. */
  notice: number;
  /** Whether the notice is still there: it is deleted 30 days after its end. */
  notice_kept: boolean;
  notice_ended_at: Date | null;
  expiry_run: number | null;
  expiry_open: boolean | null;
}

const ofExam = statement(
  'support_workflows_of_exam',
  `SELECT x.last_notice AS notice, n.number IS NOT NULL AS notice_kept, n.ended_at AS notice_ended_at, e.run AS expiry_run, e.open AS expiry_open
     FROM exams x LEFT JOIN exam_notices n ON n.exam_id = x.id AND n.number = x.last_notice LEFT JOIN attempt_expiries e ON e.exam_id = x.id
    WHERE x.institution_id = $1 AND x.id = $2`,
);

/** Returns which workflows an exam of the institution has had last. */
export async function findExamWorkflows(scope: InstitutionScope, examId: string): Promise<ExamWorkflows | undefined> {
  const [row] = await scope.sql<ExamWorkflows>(ofExam, [scope.institutionId, examId]);
  return row;
}

const batchOfPerson = statement('support_batch_of_person', 'SELECT batch_id FROM provisioning_rows WHERE institution_id = $1 AND user_id = $2');

/** Returns the bulk call that created a student of the institution; undefined for any other, and once its rows are deleted. */
export async function findBatchOfPerson(scope: InstitutionScope, personId: string): Promise<string | undefined> {
  const [row] = await scope.sql<{ batch_id: string }>(batchOfPerson, [scope.institutionId, personId]);
  return row?.batch_id;
}
