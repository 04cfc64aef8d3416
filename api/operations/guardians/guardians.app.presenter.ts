import type { InstitutionScope } from '../../../db/database';
import type { Page } from '../../../db/page';
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
import { presentSignedFile } from '../submissions/submissionDetails';
import { previewLimits, maxVersionsPerExam } from './guardians.app.schemas';
import { presentFollowedReport } from './reports.app.presenter';

/** One institution's reads, and the store that signs files as of a moment. */
export interface Deps {
  reads: InstitutionScope;
  files: FileStore;
  now: Date;
}

/** One page of the exams that a student sees, with what they have handed in; nothing of recordings is read. */
export async function readFollowedExams(deps: Deps, studentId: string, page: Page): Promise<{ rows: object[]; total: number }> {
  const { rows, total } = await listStudentExams(deps.reads, studentId, page);
  const exams = rows.map((exam) => ({ ...exam, student_id: studentId }));
  return { rows: await presentExams(deps, exams, maxVersionsPerExam), total };
}

/** Students of the list, each with the newest of everything: as many reads for all of them as for one. */
export async function presentFollowedStudents(deps: Deps, students: readonly FollowedStudentRow[]): Promise<object[]> {
  const ids = students.map(({ id }) => id);
  // One after the other: a call holds one connection at most.
  const exams = await listNewestFollowedExams(deps.reads, ids, previewLimits.exams);
  const reports = await listNewestFollowedReports(deps.reads, ids, previewLimits.reports);
  const presented = await presentExams(deps, exams, previewLimits.versions);
  const examsByStudent = groupById(exams.map(({ student_id }, index) => [student_id, presented[index] ?? {}]));
  const reportsByStudent = groupById(reports.map(({ student_id, ...report }) => [student_id, presentFollowedReport(report)]));
  return students.map(({ id, full_name, login_email }) => ({ id, full_name, login_email, exams: examsByStudent.get(id) ?? [], weekly_reports: reportsByStudent.get(id) ?? [] }));
}

/** A version of a submission in full, with what the student wrote. */
export async function presentFollowedSubmission(deps: Deps, row: FollowedSubmissionRow): Promise<object> {
  const { reads, files, now } = deps;
  const attachments = await listFollowedAttachments(reads, [row.id]);
  const signed = await Promise.all(attachments.map((file) => presentSignedFile(files, file, now)));
  return { ...presentFollowedVersion(row, signed), exam_id: row.exam_id, student_id: row.student_id, text: row.text };
}

/** Exams as they are answered, in their order, with so many versions of what their students have handed in. */
async function presentExams({ reads, files, now }: Deps, exams: readonly (FollowedExamRow & { student_id: string })[], maxVersions: number): Promise<object[]> {
  const versions = await listFollowedVersions(reads, exams.map(({ id, student_id }) => ({ studentId: student_id, examId: id })), maxVersions);
  const attachments = await listFollowedAttachments(reads, versions.map(({ id }) => id));
  const signed = await Promise.all(attachments.map(async (file): Promise<[string, object]> => [file.submission_id, await presentSignedFile(files, file, now)]));
  const filesBySubmission = groupById(signed);
  const key = (studentId: string, examId: string): string => `${studentId} ${examId}`;
  const versionsByExam = groupById(versions.map((version) => [key(version.student_id, version.exam_id), presentFollowedVersion(version, filesBySubmission.get(version.id) ?? [])]));
  return exams.map(({ student_id, id, title, exam_type, status, max_score, due_date }) => ({
    id, title, exam_type, status, max_score, due_date: due_date?.toISOString() ?? null, submissions: versionsByExam.get(key(student_id, id)) ?? [],
  }));
}

/** What belongs to the same, in its order. */
function groupById(entries: readonly (readonly [of: string, one: object])[]): Map<string, object[]> {
  const groups = new Map<string, object[]>();
  for (const [key, value] of entries) {
    const existing = groups.get(key);
    if (existing === undefined) groups.set(key, [value]);
    else existing.push(value);
  }
  return groups;
}

function presentFollowedVersion(row: FollowedVersionRow, attachments: readonly object[]): object {
  const { score, max_score, percentage, late_penalty_percentage } = row;
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    is_late: row.is_late,
    submitted_at: row.submitted_at.toISOString(),
    graded_at: row.graded_at?.toISOString() ?? null,
    score_detail: score === null ? null : { score, max_score, percentage, late_penalty_percentage },
    feedback: row.feedback,
    attachments,
  };
}
