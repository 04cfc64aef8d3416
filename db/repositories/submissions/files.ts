import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { FileRow } from '../files/files';
import type { SubmissionRow } from './submissions';

/** A file of a submission, with its name in the submission. */
export interface SubmissionFileRow extends FileRow {
  name: string;
}

const columns = 'f.id, f.sha256, f.size::float8 AS size, f.filename, f.content_type';

const attachments = statement(
  'submission_attachments',
  `SELECT ${columns}, t.name FROM submission_attachments t JOIN files f ON f.id = t.file_id
    WHERE t.institution_id = $1 AND t.submission_id = $2 AND f.status = 'stored' ORDER BY t.position`,
);

/** Returns the attachments of a submission, in the student's order. */
export function listAttachments(scope: InstitutionScope, { id }: Pick<SubmissionRow, 'id'>): Promise<SubmissionFileRow[]> {
  return scope.sql<SubmissionFileRow>(attachments, [scope.institutionId, id]);
}

const recordings = statement(
  'submission_recordings',
  `SELECT ${columns}, f.filename AS name FROM files f
    WHERE f.institution_id = $1 AND f.attempt_id = $2 AND f.kind = 'recording' AND f.status = 'stored' ORDER BY f.created_at, f.id`,
);

/** Returns the recorded segments of a submission's attempt, in the order of upload. */
export function listRecordings(scope: InstitutionScope, { attempt_id }: Pick<SubmissionRow, 'attempt_id'>): Promise<SubmissionFileRow[]> {
  return scope.sql<SubmissionFileRow>(recordings, [scope.institutionId, attempt_id]);
}
