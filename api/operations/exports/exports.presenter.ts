import type { ExportRow } from '../../../db/repositories/exports/exports';
import type { SignedUrl } from '../../../domain/files/fileStore';
import { isoOrNull } from '../../http/request/fields';
import type { ExportResponse } from './exports.schemas';

/** An export, with the URL of its archive for a caller who gets it. */
export function presentExport({ id, person_id, status, with_recordings, size, sha256, created_at, ready_at, expires_at }: ExportRow, signed: SignedUrl | null, now: Date): ExportResponse {
  return {
    id,
    student_id: person_id,
    status: expires_at !== null && expires_at <= now ? 'expired' : status,
    with_recordings,
    created_at: created_at.toISOString(),
    ready_at: isoOrNull(ready_at),
    expires_at: isoOrNull(expires_at),
    archive: signed === null || size === null || sha256 === null ? null : { url: signed.url, url_expires_at: signed.expiresAt.toISOString(), size, sha256 },
  };
}
