import type { ReleaseRow } from '../../../db/repositories/codeSecrets/codeSecrets';
import type { ExamRow } from '../../../db/repositories/exams/exams';
import { isoOrNull } from '../../http/request/fields';
import type { CodeSecretReleaseResponse, CodeSecretStatusResponse } from './codeSecrets.schemas';

const presentRelease = ({ attempt_id, student_id, released_at, released_by }: ReleaseRow): CodeSecretReleaseResponse => ({
  attempt_id,
  student_id,
  released_at: released_at.toISOString(),
  by: released_by,
});

/** Whether an exam's key is set, and its releases; `count` includes releases that are not listed. */
export function presentCodeSecretStatus({ hidden_key_set_at: set_at }: ExamRow, releases: readonly ReleaseRow[], count: number): CodeSecretStatusResponse {
  return { set: set_at !== null, set_at: isoOrNull(set_at), release_count: count, releases: releases.map(presentRelease) };
}
