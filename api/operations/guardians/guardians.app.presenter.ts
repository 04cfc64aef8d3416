import type { InstitutionScope } from '../../../db/database';
import type { Page, PageOf } from '../../../db/page';
import {
  listFollowedAttachments,
  listFollowedVersions,
  listNewestFollowedExams,
  listNewestFollowedReports,
  type FollowedExamRow,
  type FollowedStudentRow,
  type FollowedSubmissionRow,
  type FollowedVersionRow,
} from '../../../db/repositories/guardians/portal';
import { listStudentExams } from '../../../db/repositories/exams/studentExams';
import type { FileStore } from '../../../domain/files/fileStore';
import { isoOrNull } from '../../http/request/fields';
import { presentSignedFile } from '../submissions/submissionDetails';
import { presentScore } from '../submissions/submissions.presenter';
import type { SignedFileResponse } from '../submissions/submissions.schemas';
import { previewLimits, maxVersionsPerExam, type FollowedVersionResponse, type FollowedSubmissionResponse, type FollowedExamResponse, type FollowedStudentResponse } from './guardians.app.schemas';
import { presentFollowedReport } from './reports.app.presenter';

/** What the presenter reads from: one institution's rows, and the store that signs file URLs as of `now`. */
export interface Deps {
  reads: InstitutionScope;
  files: FileStore;
  now: Date;
}

/** Returns one page of the exams that a student sees, with their submissions; recordings are not read. */
export async function readFollowedExams(deps: Deps, studentId: string, page: Page): Promise<PageOf<FollowedExamResponse>> {
  const { rows, ...rest } = await listStudentExams(deps.reads, studentId, page);
  const exams = rows.map((exam) => ({ ...exam, student_id: studentId }));
  const presented = await presentExams(deps, exams, maxVersionsPerExam);
  return { rows: presented.map(([, exam]) => exam), ...rest };
}

/**
 * Returns the students of the list, each with their newest exams and reports; the number of queries does not depend on the
 * number of students.
 */
export async function presentFollowedStudents(deps: Deps, students: readonly FollowedStudentRow[]): Promise<FollowedStudentResponse[]> {
  const ids = students.map(({ id }) => id);
  // Sequentially, so that a call uses at most one connection.
  const exams = await listNewestFollowedExams(deps.reads, ids, previewLimits.exams);
  const reports = await listNewestFollowedReports(deps.reads, ids, previewLimits.reports);
  const examsByStudent = groupById(await presentExams(deps, exams, previewLimits.versions));
  const reportsByStudent = groupById(reports.map(({ student_id, ...report }) => [student_id, presentFollowedReport(report)]));
  return students.map(({ id, full_name, login_email }) => ({ id, full_name, login_email, exams: examsByStudent.get(id) ?? [], weekly_reports: reportsByStudent.get(id) ?? [] }));
}

/** Returns a version of a submission in full, with the student's text. */
export async function presentFollowedSubmission(deps: Deps, row: FollowedSubmissionRow): Promise<FollowedSubmissionResponse> {
  const { reads, files, now } = deps;
  const attachments = await listFollowedAttachments(reads, [row.id]);
  const signed = await Promise.all(attachments.map((file) => presentSignedFile(files, file, now)));
  return { ...presentFollowedVersion(row, signed), exam_id: row.exam_id, student_id: row.student_id, text: row.text };
}

/** Returns exams in order, each with its student's id and the newest versions of the submission. */
async function presentExams({ reads, files, now }: Deps, exams: readonly (FollowedExamRow & { student_id: string })[], maxVersions: number): Promise<[studentId: string, FollowedExamResponse][]> {
  const versions = await listFollowedVersions(reads, exams.map(({ id, student_id }) => ({ studentId: student_id, examId: id })), maxVersions);
  const attachments = await listFollowedAttachments(reads, versions.map(({ id }) => id));
  const signed = await Promise.all(attachments.map(async (file): Promise<[string, SignedFileResponse]> => [file.submission_id, await presentSignedFile(files, file, now)]));
  const filesBySubmission = groupById(signed);
  const key = (studentId: string, examId: string): string => `${studentId} ${examId}`;
  const versionsByExam = groupById(versions.map((version) => [key(version.student_id, version.exam_id), presentFollowedVersion(version, filesBySubmission.get(version.id) ?? [])]));
  return exams.map(({ student_id, id, title, exam_type, status, max_score, due_date }) => [
    student_id,
    { id, title, exam_type, status, max_score, due_date: isoOrNull(due_date), submissions: versionsByExam.get(key(student_id, id)) ?? [] },
  ]);
}

/** Groups values by key, in order. */
function groupById<Item>(entries: readonly (readonly [id: string, item: Item])[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const [key, value] of entries) {
    const existing = groups.get(key);
    if (existing === undefined) groups.set(key, [value]);
    else existing.push(value);
  }
  return groups;
}

function presentFollowedVersion(row: FollowedVersionRow, attachments: SignedFileResponse[]): FollowedVersionResponse {
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    is_late: row.is_late,
    submitted_at: row.submitted_at.toISOString(),
    graded_at: isoOrNull(row.graded_at),
    score_detail: presentScore(row),
    feedback: row.feedback,
    attachments,
  };
}
