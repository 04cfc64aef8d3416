import type { InstitutionScope } from '../../db/database';
import type { Page, PageOf } from '../../db/page';
import { listStudentExams } from '../../db/repositories/exams/studentExams';
import {
  findFollowedSubmission,
  listFollowedAttachments,
  listFollowedStudents,
  listFollowedVersions,
  listNewestFollowedExams,
  listNewestFollowedReports,
  type FollowedExamRow,
  type FollowedReportRow,
  type FollowedStudentRow,
  type FollowedSubmissionRow,
  type FollowedVersionRow,
} from '../../db/repositories/guardians/portal';
import type { SubmissionFileRow } from '../../db/repositories/submissions/files';
import { requireFound } from '../errors';
import type { FileStore } from '../files/fileStore';
import { signFiles, type Signed } from '../files/signFiles';

/** How much of a student an item of the list shows; the rest is in lists of their own. */
export const previewLimits = { exams: 50, versions: 1, reports: 8 } as const;

/** So many versions of a submission the list of one student's exams shows. */
export const maxVersionsPerExam = 20;

/** One institution's reads, and the store that signs files as of a moment. */
export interface FollowedReads {
  scope: InstitutionScope;
  files: FileStore;
  now: Date;
}

/** A version of a submission with what was handed in, signed; never a recording. */
export interface FollowedVersion<Row extends FollowedVersionRow = FollowedVersionRow> {
  version: Row;
  attachments: readonly Signed<SubmissionFileRow>[];
}

/** An exam with the newest versions of what its student has handed in. */
export interface FollowedExam {
  exam: FollowedExamRow;
  versions: readonly FollowedVersion[];
}

/** A student with the newest of everything. */
export interface FollowedStudent {
  student: FollowedStudentRow;
  exams: readonly FollowedExam[];
  reports: readonly FollowedReportRow[];
}

/** Returns one page of the students whom a guardian follows, each with the newest of everything: as many reads for all of them as for one. */
export async function readFollowedStudents(reads: FollowedReads, guardianId: string, page: Page): Promise<PageOf<FollowedStudent>> {
  const { rows: students, ...rest } = await listFollowedStudents(reads.scope, guardianId, page);
  const ids = students.map(({ id }) => id);
  // One after the other: a call holds one connection at most.
  const exams = await listNewestFollowedExams(reads.scope, ids, previewLimits.exams);
  const reports = await listNewestFollowedReports(reads.scope, ids, previewLimits.reports);
  const examsByStudent = groupById(await readExams(reads, exams, previewLimits.versions));
  const reportsByStudent = groupById(reports.map(({ student_id, ...report }) => [student_id, report]));
  return { rows: students.map((student) => ({ student, exams: examsByStudent.get(student.id) ?? [], reports: reportsByStudent.get(student.id) ?? [] })), ...rest };
}

/** Returns one page of the exams that a student sees, with what they have handed in; nothing of recordings is read. */
export async function readFollowedExams(reads: FollowedReads, studentId: string, page: Page): Promise<PageOf<FollowedExam>> {
  const { rows, ...rest } = await listStudentExams(reads.scope, studentId, page);
  const exams = await readExams(reads, rows.map((exam) => ({ ...exam, student_id: studentId })), maxVersionsPerExam);
  return { rows: exams.map(([, exam]) => exam), ...rest };
}

/** Returns a version of a submission of a student whom the guardian follows, with its text; `not_found`. */
export async function readFollowedSubmission(reads: FollowedReads, guardianId: string, id: string): Promise<FollowedVersion<FollowedSubmissionRow>> {
  const version = requireFound(await findFollowedSubmission(reads.scope, guardianId, id), 'submission');
  return { version, attachments: await signFiles(reads.files, await listFollowedAttachments(reads.scope, [id]), reads.now) };
}

/** Returns the exams in their order, each after its student's id, with so many versions of what their students have handed in. */
async function readExams({ scope, files, now }: FollowedReads, exams: readonly (FollowedExamRow & { student_id: string })[], maxVersions: number): Promise<[studentId: string, FollowedExam][]> {
  const versions = await listFollowedVersions(scope, exams.map(({ id, student_id }) => ({ studentId: student_id, examId: id })), maxVersions);
  const attachments = await signFiles(files, await listFollowedAttachments(scope, versions.map(({ id }) => id)), now);
  const attachmentsBySubmission = groupById(attachments.map((file) => [file.submission_id, file]));
  const key = (studentId: string, examId: string): string => `${studentId} ${examId}`;
  const versionsByExam = groupById(
    versions.map((version) => [key(version.student_id, version.exam_id), { version, attachments: attachmentsBySubmission.get(version.id) ?? [] }]),
  );
  return exams.map((exam) => [exam.student_id, { exam, versions: versionsByExam.get(key(exam.student_id, exam.id)) ?? [] }]);
}

/** Returns the items by their ids, those of one id in their order. */
function groupById<Item>(entries: readonly (readonly [id: string, item: Item])[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const [id, item] of entries) groups.set(id, [...(groups.get(id) ?? []), item]);
  return groups;
}
