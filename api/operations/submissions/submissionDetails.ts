import type { InstitutionScope } from '../../../db/database';
import { listAttachments, listRecordings, type SubmissionFileRow } from '../../../db/repositories/submissions/files';
import { findSubmission, listVersions, type SubmissionDetailRow, type VersionRow } from '../../../db/repositories/submissions/submissions';
import { notFound } from '../../../domain/errors';
import type { FileStore } from '../../../domain/files/fileStore';
import { grants } from '../../../domain/scopes';
import { presentSubmissionSummary, presentVersion } from './submissions.presenter';
import type { SignedFileResponse, SubmissionResponse } from './submissions.schemas';

/** The data of one submission's response, limited to what the calling key may see. */
export interface SubmissionDetails {
  submission: SubmissionDetailRow;
  attachments: readonly SubmissionFileRow[];
  versions: readonly VersionRow[];
  /** Undefined if the key may not see them. */
  recordings: readonly SubmissionFileRow[] | undefined;
}

/**
 * Reads a submission with its files and versions; recordings only for a key with `submissions:write` (section Privacy of the
 * general rules). `not_found` if the institution has no submission with this id.
 */
export async function readSubmissionDetails(scope: InstitutionScope, id: string, granted: readonly string[]): Promise<SubmissionDetails> {
  const submission = await findSubmission(scope, id);
  if (submission === undefined) throw notFound('submission');
  return {
    submission,
    attachments: await listAttachments(scope, submission),
    versions: await listVersions(scope, submission),
    recordings: grants(granted, 'submissions:write') ? await listRecordings(scope, submission) : undefined,
  };
}

/** One submission in full, each file with a URL that is valid for one hour. */
export async function presentSubmission({ submission, attachments, versions, recordings }: SubmissionDetails, store: FileStore, now: Date): Promise<SubmissionResponse> {
  const signed = (files: readonly SubmissionFileRow[]): Promise<SignedFileResponse[]> => Promise.all(files.map((file) => presentSignedFile(store, file, now)));
  return {
    ...presentSubmissionSummary(submission),
    text: submission.text,
    attachments: await signed(attachments),
    feedback_attachments: [],
    ai_usage_data: submission.ai_usage_data,
    versions: versions.map(presentVersion),
    ...(recordings === undefined ? {} : { recordings: await signed(recordings) }),
  };
}

/** A file with a URL that is valid for one hour. */
export async function presentSignedFile(store: FileStore, { id, name, filename, size, sha256, content_type }: SubmissionFileRow, now: Date): Promise<SignedFileResponse> {
  const { url, expiresAt } = await store.signedUrl({ id, filename, contentType: content_type }, now);
  return { id, name, size, sha256, content_type, url, url_expires_at: expiresAt.toISOString() };
}
