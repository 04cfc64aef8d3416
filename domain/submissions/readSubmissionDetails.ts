import type { InstitutionScope } from '../../db/database';
import { listAttachments, listRecordings, type SubmissionFileRow } from '../../db/repositories/submissions/files';
import { findSubmission, listVersions, type SubmissionDetailRow, type VersionRow } from '../../db/repositories/submissions/submissions';
import { requireFound } from '../errors';
import type { FileStore } from '../files/fileStore';
import { signFiles, type Signed } from '../files/signFiles';
import { grants } from '../scopes';

/** One submission in full, as the key that asks may see it. */
export interface SubmissionDetails<File = SubmissionFileRow> {
  submission: SubmissionDetailRow;
  attachments: readonly File[];
  versions: readonly VersionRow[];
  /** Undefined where the key may not see them. */
  recordings: readonly File[] | undefined;
}

/**
 * Returns a submission with its files and versions; recordings for a key with `submissions:write` alone (section Privacy
 * of the general rules). `not_found`.
 */
export async function readSubmissionDetails(scope: InstitutionScope, id: string, granted: readonly string[]): Promise<SubmissionDetails> {
  const submission = requireFound(await findSubmission(scope, id), 'submission');
  return {
    submission,
    attachments: await listAttachments(scope, submission),
    versions: await listVersions(scope, submission),
    recordings: grants(granted, 'submissions:write') ? await listRecordings(scope, submission) : undefined,
  };
}

/** Returns a submission whose files have URLs; signing asks nobody, so that it may be done within a transaction. */
export async function signSubmissionFiles(store: FileStore, details: SubmissionDetails, now: Date): Promise<SubmissionDetails<Signed<SubmissionFileRow>>> {
  return {
    ...details,
    attachments: await signFiles(store, details.attachments, now),
    recordings: details.recordings && (await signFiles(store, details.recordings, now)),
  };
}
