import type { ErasureRow } from '../../../db/repositories/erasure/erasures';
import { certificateHash, erasureProgress, removedEntries } from '../../../domain/erasure/certificate';
import { erasureWorkflowId } from '../../../domain/outbox/workflows';
import type { ErasureResponse } from './erasure.schemas';

/** An erasure with its progress, and with its certificate once it is done. */
export function presentErasure(row: ErasureRow): ErasureResponse {
  return {
    person: { id: row.person_id, kind: row.kind },
    status: row.ended_at === null ? 'running' : 'done',
    workflow_id: erasureWorkflowId(row.person_id, row.number),
    requested_at: row.requested_at.toISOString(),
    completed_at: row.ended_at?.toISOString() ?? null,
    progress: erasureProgress(row),
    removed: removedEntries(row),
    certificate: row.certificate === null ? null : { text: row.certificate, sha256: certificateHash(row.certificate) },
  };
}
