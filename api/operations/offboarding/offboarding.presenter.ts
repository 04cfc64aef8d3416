import type { OffboardingRow } from '../../../db/repositories/offboarding/offboardings';
import { removedEntries } from '../../../domain/offboarding/certificate';
import { storeCount } from '../../../domain/offboarding/stores';
import type { SignedUrl } from '../../../domain/files/fileStore';
import { offboardingWorkflowId } from '../../../domain/outbox/workflows';
import { certificateHash } from '../../../domain/erasure/certificate';
import { isoOrNull } from '../../http/request/fields';
import type { OffboardingResponse } from './offboarding.schemas';

function presentArchive({ size, sha256, exported_at }: OffboardingRow, signed: SignedUrl | null): OffboardingResponse['archive'] {
  if (signed === null || size === null || sha256 === null || exported_at === null) return null;
  return { url: signed.url, url_expires_at: signed.expiresAt.toISOString(), size, sha256, written_at: exported_at.toISOString() };
}

/** An offboarding with its progress, the URL of its archive if there is one, and its certificate once everything is erased. */
export function presentOffboarding(row: OffboardingRow, signed: SignedUrl | null): OffboardingResponse {
  const removed = removedEntries(row);
  return {
    institution_id: row.institution_id,
    status: row.status,
    workflow_id: offboardingWorkflowId(row.institution_id, row.number),
    reason: row.reason,
    requested_at: row.requested_at.toISOString(),
    erase_after: row.erase_after.toISOString(),
    cancelled_at: isoOrNull(row.cancelled_at),
    erasing_since: isoOrNull(row.erasing_since),
    erased_at: isoOrNull(row.erased_at),
    archive: presentArchive(row, signed),
    progress: { done: row.status === 'erased' ? storeCount : Math.min(removed.length, storeCount), total: storeCount },
    removed,
    certificate: row.certificate === null ? null : { text: row.certificate, sha256: certificateHash(row.certificate) },
  };
}
