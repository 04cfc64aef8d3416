import type { InstitutionScope } from '../../database';
import type { Page, PageOf } from '../../page';
import type { SubmissionStatus } from './studentExams';

/** The result of one assigned student in an exam, by the latest version of their submission. */
export interface ExamScoreRow {
  /** The internal id. */
  id: string;
  /** The institution's own identifier. */
  student_id: string | null;
  email: string;
  status: SubmissionStatus | 'not_submitted';
  /** These three only if it is graded. */
  score: number | null;
  percentage: number | null;
  graded_at: Date | null;
  /** As of grading; the exam's for an ungraded submission. */
  max_score: number;
  /** Null without a submission, as `submitted_at`. */
  is_late: boolean | null;
  submitted_at: Date | null;
}

// Statements without a name are not prepared: an exam of thirty students needs another plan than one of thirty thousand. The
// students of the page are selected first and their submissions looked up afterwards, so that a page costs no more than its
// rows.
const assignedStudents = `users u JOIN institution_emails e ON e.user_id = u.id
  WHERE e.institution_id = $1 AND u.kind = 'student'
    AND EXISTS (SELECT 1 FROM group_members m WHERE m.user_id = u.id
                  AND m.group_id = ANY (ARRAY(SELECT group_id FROM exam_assignments WHERE institution_id = $1 AND exam_id = $2)))`;

const orderByLoginEmail = 'ORDER BY e.login_email COLLATE "C"';

const scoresQuery = (students: string): string =>
  `SELECT p.id, p.external_id AS student_id, p.login_email AS email, coalesce(v.status, 'not_submitted') AS status,
          v.score::float8 AS score, coalesce(v.max_score, x.max_score)::float8 AS max_score, v.percentage::float8 AS percentage,
          v.is_late, v.submitted_at, v.graded_at
     FROM exams x
     CROSS JOIN (${students}) p
     LEFT JOIN LATERAL (
       SELECT s.status, s.is_late, s.submitted_at, g.score, g.max_score, g.percentage, g.graded_at
         FROM submissions s
         LEFT JOIN LATERAL (SELECT s.score, s.max_score, s.percentage, s.graded_at WHERE s.status = 'graded') g ON true
        WHERE s.exam_id = x.id AND s.student_id = p.id ORDER BY s.version DESC LIMIT 1) v ON true
    WHERE x.institution_id = $1 AND x.id = $2
    ORDER BY p.login_email COLLATE "C"`;

const page = scoresQuery(`SELECT u.id, u.external_id, e.login_email FROM ${assignedStudents} ${orderByLoginEmail} LIMIT $3 OFFSET $4`);
const count = `SELECT count(*)::int AS total FROM ${assignedStudents}`;

const foundColumns = 'e.user_id AS id, (SELECT external_id FROM users WHERE id = e.user_id) AS external_id, e.login_email';

// Two statements for the next students after a login email; the planner cannot know which is faster for an exam just
// assigned. With few memberships, they are collected and sorted for each chunk.
const scoresByAssignment = scoresQuery(`SELECT ${foundColumns}
  FROM (SELECT DISTINCT m.user_id FROM exam_assignments a JOIN group_members m ON m.group_id = a.group_id
         WHERE a.institution_id = $1 AND a.exam_id = $2) assigned JOIN institution_emails e ON e.user_id = assigned.user_id
 WHERE e.institution_id = $1 AND e.login_email COLLATE "C" > $3 ${orderByLoginEmail} LIMIT $4`);

// With many, an ordered scan of the institution's login emails ends at the last one needed. An SQL function enforces this
// scan regardless of the statistics.
const scoresByLoginEmail = scoresQuery(`SELECT ${foundColumns} FROM exam_students_after($1, $2, $3, $4) e`);

/** Up to this number of memberships, collecting is faster, in institutions of any size. */
const maxSortedMemberships = 5_000;

const memberships = `SELECT count(*)::int AS total FROM (
  SELECT 1 FROM exam_assignments a JOIN group_members m ON m.group_id = a.group_id WHERE a.institution_id = $1 AND a.exam_id = $2 LIMIT $3) counted`;

/** Whether an exam has so many memberships that a scan of login emails is faster than sorting its students. */
async function hasManyMemberships({ sql, institutionId }: InstitutionScope, examId: string): Promise<boolean> {
  const [counted] = await sql<{ total: number }>(memberships, [institutionId, examId, maxSortedMemberships + 1]);
  return (counted?.total ?? 0) > maxSortedMemberships;
}

/** The page of a list whose rows stand by their login emails, of up to `limit + 1` rows. */
function takeScores(read: readonly ExamScoreRow[], limit: number): Omit<PageOf<ExamScoreRow>, 'total'> {
  const rows = read.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: last === undefined || read.length <= limit ? null : [last.email] };
}

/** One page of the students assigned to an exam, by login email bytewise, each with their result (GET /exams/{id}/scores). */
export async function listExamScores(scope: InstitutionScope, examId: string, { page: nth, limit, cursor }: Page): Promise<PageOf<ExamScoreRow>> {
  const key = [scope.institutionId, examId];
  if (cursor?.after !== undefined) {
    const [email = ''] = cursor.after ?? [];
    const text = (await hasManyMemberships(scope, examId)) ? scoresByLoginEmail : scoresByAssignment;
    const rows = await scope.sql<ExamScoreRow>(text, [...key, email, limit + 1]);
    return { ...takeScores(rows, limit), total: null };
  }
  const [counted] = await scope.sql<{ total: number }>(count, key);
  const total = counted?.total ?? 0;
  const offset = (nth - 1) * limit;
  if (offset >= total) return { rows: [], total, next: null };
  return { ...takeScores(await scope.sql<ExamScoreRow>(page, [...key, limit + 1, offset]), limit), total };
}

/**
 * All of them in the same order, in chunks, each as what `chunkOf` makes of its rows. Each chunk is a short statement from where the
 * last one ended: it costs the same at any depth, and shows its students as of that moment. The next one is read while one is
 * used. Meanwhile both are kept as `chunkOf` returned them: rows take ten times the memory of their text.
 */
export async function* readExamScores<Chunk>(scope: InstitutionScope, examId: string, size: number, chunkOf: (rows: ExamScoreRow[]) => Chunk): AsyncGenerator<Chunk, void> {
  const key = [scope.institutionId, examId];
  const text = (await hasManyMemberships(scope, examId)) ? scoresByLoginEmail : scoresByAssignment;
  // No rows in this function: a generator keeps its variables as long as its caller takes for a chunk.
  const read = async (afterEmail: string): Promise<{ chunk: Chunk; isEmpty: boolean; lastEmail: string | undefined }> => {
    const rows = await scope.sql<ExamScoreRow>(text, [...key, afterEmail, size]);
    return { chunk: chunkOf(rows), isEmpty: rows.length === 0, lastEmail: rows[size - 1]?.email };
  };
  let next = read('');
  for (;;) {
    const { chunk, isEmpty, lastEmail } = await next;
    if (lastEmail !== undefined) {
      next = read(lastEmail);
      // A caller that takes no further chunk does not need the error of reading it.
      next.catch(() => undefined);
    }
    if (!isEmpty) yield chunk;
    if (lastEmail === undefined) return;
  }
}
