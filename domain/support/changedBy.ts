import type { InstitutionScope } from '../../db/database';
import { findClosestChange, listCreations, type AuditedChange } from '../../db/repositories/auditLog/auditLog';
import type { BatchRow } from '../../db/repositories/coupons/batches';
import type { FoundKey } from '../../db/repositories/support/found';

/** How far the clock of the database, which the audit log has, may be from that of the process that made a change. */
const maxClockDifferenceMs = 60_000;

/** The calls that revoke a key: its own, and those that end what its developer may do. */
const revokingCalls = ['revokeKey', 'suspendDeveloper', 'revokeDeveloper'];

const decidingCalls = ['approveCouponBatch', 'rejectCouponBatch', 'approveSandboxCouponBatch', 'rejectSandboxCouponBatch'];

/** Returns who made a key; undefined where the audit log does not say. The scope is that of the institution, also for a key of its sandbox. */
export async function readKeyCreation(scope: InstitutionScope, id: string): Promise<AuditedChange | undefined> {
  const [creation] = await listCreations(scope, ['createKey'], [id]);
  return creation;
}

/** Returns that of some calls about some things which was made at a moment of the real time, as far as two clocks agree; undefined if the log has none. */
export async function findChangeAt(scope: InstitutionScope, operations: readonly string[], targetIds: readonly string[], time: Date, fields?: readonly string[]): Promise<AuditedChange | undefined> {
  const change = await findClosestChange(scope, operations, targetIds, time, fields);
  return change !== undefined && Math.abs(change.at.getTime() - time.getTime()) <= maxClockDifferenceMs ? change : undefined;
}

/** Returns who revoked a key, if it is revoked, in the same scope; a later call that revoked it again is not it. */
export async function readKeyRevocation(scope: InstitutionScope, id: string, { created_by, revoked_at }: Pick<FoundKey, 'created_by' | 'revoked_at'>): Promise<AuditedChange | undefined> {
  return revoked_at === null ? undefined : findChangeAt(scope, revokingCalls, [id, created_by], revoked_at);
}

/** Returns who decided about a batch, if it is decided; a later call that decided the same again is not it. The offset is that of the institution's clock, by which it was decided. */
export async function readBatchDecision(scope: InstitutionScope, { id, decided_at }: BatchRow, clockOffsetMs: number): Promise<AuditedChange | undefined> {
  return decided_at === null ? undefined : findClosestChange(scope, decidingCalls, [id], new Date(decided_at.getTime() - clockOffsetMs));
}
