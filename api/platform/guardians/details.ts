import type { InstitutionScope } from '../../../db/database';
import type { Page } from '../../../db/page';
import { listFollowedAttachments, listFollowedReports, listFollowedVersions, type FollowedStudentRow, type FollowedSubmissionRow, type FollowedVersionRow } from '../../../db/repositories/guardianPortal';
import { listStudentExams, type StudentExamRow } from '../../../db/repositories/studentExams';
import type { FileStore } from '../../../domain/files/fileStore';
import { presentSignedFile } from '../../resources/submissions/details';
import { shown } from './guardians.schemas';
import { presentFollowedReport } from './weeklyReport';

/** One institution's reads, and the store that signs files as of a moment. */
export interface Means {
  reads: InstitutionScope;
  files: FileStore;
  now: Date;
}

/** One page of the exams that a student sees, with what they have handed in; nothing of recordings is read. */
export async function readFollowedExams(means: Means, studentId: string, page: Page): Promise<{ rows: object[]; total: number }> {
  const { rows, total } = await listStudentExams(means.reads, studentId, page);
  const versions = await listFollowedVersions(means.reads, studentId, rows.map(({ id }) => id));
  const presented = await presentVersions(means, versions);
  return { rows: rows.map((exam) => presentFollowedExam(exam, presented.get(exam.id) ?? [])), total };
}

/** A student of the list, with the newest of everything. */
export async function presentFollowedStudent(means: Means, { id, full_name, login_email }: FollowedStudentRow): Promise<object> {
  const exams = await readFollowedExams(means, id, { page: 1, limit: shown.exams });
  const reports = await listFollowedReports(means.reads, id, { page: 1, limit: shown.reports });
  return { id, full_name, login_email, exams: exams.rows, weekly_reports: reports.rows.map(presentFollowedReport) };
}

/** A version of a submission in full, with what the student wrote. */
export async function presentFollowedSubmission(means: Means, row: FollowedSubmissionRow): Promise<object> {
  const { reads, files, now } = means;
  const attachments = await listFollowedAttachments(reads, [row.id]);
  const signed = await Promise.all(attachments.map((file) => presentSignedFile(files, file, now)));
  return { ...presentFollowedVersion(row, signed), exam_id: row.exam_id, student_id: row.student_id, text: row.text };
}

/** Versions as they are answered, by the exam. */
async function presentVersions({ reads, files, now }: Means, versions: readonly FollowedVersionRow[]): Promise<Map<string, object[]>> {
  const attachments = new Map<string, object[]>(versions.map(({ id }) => [id, []]));
  for (const file of await listFollowedAttachments(reads, [...attachments.keys()])) {
    attachments.get(file.submission_id)?.push(await presentSignedFile(files, file, now));
  }
  const byExam = new Map<string, object[]>(versions.map(({ exam_id }) => [exam_id, []]));
  for (const version of versions) byExam.get(version.exam_id)?.push(presentFollowedVersion(version, attachments.get(version.id) ?? []));
  return byExam;
}

function presentFollowedExam({ id, title, exam_type, status, max_score, due_date }: StudentExamRow, submissions: readonly object[]): object {
  return { id, title, exam_type, status, max_score, due_date: due_date?.toISOString() ?? null, submissions };
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
