import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { finishArchiveFile, type FinishedArchive } from '../exports/exports';

/** The states of an institution that leaves. */
export const offboardingStatuses = ['read_only', 'cancelled', 'erasing', 'erased'] as const;
type OffboardingStatus = (typeof offboardingStatuses)[number];

/** What was removed from one store so far. */
export interface RemovedRow {
  count: number;
  /** ISO 8601, of the last removal. */
  at: string;
}

/** The archive with everything of the institution. */
export interface ArchiveRow {
  file_id: string;
  /** In bytes. */
  size: number;
  sha256: string;
  exported_at: Date;
}

/** An offboarding of an institution. */
export interface OffboardingRow {
  institution_id: string;
  /** From 1: an offboarding can be cancelled, and requested again. */
  number: number;
  status: OffboardingStatus;
  /** Null after the erasure. */
  reason: string | null;
  requested_at: Date;
  erase_after: Date;
  cancelled_at: Date | null;
  erasing_since: Date | null;
  erased_at: Date | null;
  file_id: string | null;
  size: number | null;
  sha256: string | null;
  /** When the archive was complete; null before. */
  exported_at: Date | null;
  /** By the name of the store. */
  removed: Record<string, RemovedRow>;
  /** JSON text; null until the data is erased. */
  certificate: string | null;
}

const columns =
  'o.institution_id, o.number, o.status, o.reason, o.requested_at, o.erase_after, o.cancelled_at, o.erasing_since, o.erased_at, o.file_id, o.size::float8 AS size, o.sha256, o.exported_at, o.removed, o.certificate';

const newest = statement('offboarding_newest', `SELECT ${columns} FROM offboardings o WHERE o.institution_id = $1 ORDER BY o.number DESC LIMIT 1`);

/** The newest offboarding of the institution, which may be erased. */
export async function findOffboarding(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>): Promise<OffboardingRow | undefined> {
  const [row] = await scope.sql<OffboardingRow>(newest, [scope.institutionId]);
  return row;
}

const lock = statement('offboarding_lock', `SELECT ${columns} FROM offboardings o WHERE o.institution_id = $1 AND o.number = $2 FOR UPDATE`);

/** Returns an offboarding under its lock, under which it is cancelled, begun to be erased, and counted. */
export async function lockOffboarding(scope: InstitutionScope, number: number): Promise<OffboardingRow | undefined> {
  const [row] = await scope.sql<OffboardingRow>(lock, [scope.institutionId, number]);
  return row;
}

const insert = statement(
  'offboarding_insert',
  `INSERT INTO offboardings AS o (institution_id, number, status, reason, requested_at, erase_after) VALUES ($1, $2, 'read_only', $3, $4, $5) RETURNING ${columns}`,
);

/** Inserts an offboarding of a locked institution. */
export async function insertOffboarding(scope: InstitutionScope, { number, reason, requestedAt, eraseAfter }: { number: number; reason: string | null; requestedAt: Date; eraseAfter: Date }): Promise<OffboardingRow> {
  const [row] = await scope.sql<OffboardingRow>(insert, [scope.institutionId, number, reason, requestedAt, eraseAfter]);
  if (row === undefined) throw new Error('The offboarding was not written');
  return row;
}

// The archive is removed with the file, whose row housekeeping finds.
const cancel = statement('offboarding_cancel', `UPDATE offboardings o SET status = 'cancelled', cancelled_at = $3 WHERE o.institution_id = $1 AND o.number = $2 RETURNING ${columns}`);
const removeArchive = statement('offboarding_archive_remove', "UPDATE files SET status = 'removed', updated_at = $3 WHERE institution_id = $1 AND id = $2 AND status = 'stored'");

/** Cancels a locked offboarding, and removes its archive. */
export async function markCancelled(scope: InstitutionScope, { number, file_id }: Pick<OffboardingRow, 'number' | 'file_id'>, now: Date): Promise<OffboardingRow> {
  if (file_id !== null) await scope.sql(removeArchive, [scope.institutionId, file_id, now]);
  const [row] = await scope.sql<OffboardingRow>(cancel, [scope.institutionId, number, now]);
  if (row === undefined) throw new Error('The offboarding was not locked');
  return row;
}

const insertFile = statement(
  'offboarding_archive_insert',
  `INSERT INTO files (id, institution_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
   SELECT $3, institution_id, 'export', 'storing', $1 || '.zip', 'application/zip', $4::bigint, $5, $6::timestamptz, $6::timestamptz
     FROM offboardings WHERE institution_id = $1 AND number = $2 AND status = 'read_only' AND file_id IS NULL FOR SHARE RETURNING 1`,
);

/**
 * Inserts the row of an archive as `storing`, so that housekeeping finds it if it is never finished. False if the offboarding is not
 * read-only any more, or has an archive.
 */
export async function insertArchive(scope: InstitutionScope, number: number, { file_id, size, sha256 }: Omit<ArchiveRow, 'exported_at'>, now: Date): Promise<boolean> {
  return (await scope.sql(insertFile, [scope.institutionId, number, file_id, size, sha256, now])).length > 0;
}

const exported = statement('offboarding_exported', 'UPDATE offboardings SET file_id = $3, size = $4, sha256 = $5, exported_at = $6 WHERE institution_id = $1 AND number = $2');

/** Gives a locked offboarding its stored archive; one that does not want it has the archive removed. */
export async function finishArchive(scope: InstitutionScope, number: number, archive: Omit<ArchiveRow, 'exported_at'>, wanted: boolean, now: Date): Promise<FinishedArchive> {
  const finished = await finishArchiveFile(scope, archive.file_id, wanted, now);
  if (finished === 'taken') await scope.sql(exported, [scope.institutionId, number, archive.file_id, archive.size, archive.sha256, now]);
  return finished;
}

const erase = statement('offboarding_erase', "UPDATE offboardings SET status = 'erasing', erasing_since = $3 WHERE institution_id = $1 AND number = $2");

/** Begins the erasure of a locked offboarding. */
export async function markErasing(scope: InstitutionScope, number: number, now: Date): Promise<void> {
  await scope.sql(erase, [scope.institutionId, number, now]);
}

const write = statement('offboarding_write_removed', 'UPDATE offboardings SET removed = $3 WHERE institution_id = $1 AND number = $2');

/** Writes what a locked offboarding has removed. */
export async function writeRemoved(scope: InstitutionScope, number: number, removed: Record<string, RemovedRow>): Promise<void> {
  await scope.sql(write, [scope.institutionId, number, JSON.stringify(removed)]);
}

const end = statement(
  'offboarding_end',
  "UPDATE offboardings SET status = 'erased', erased_at = $3, certificate = $4, reason = NULL WHERE institution_id = $1 AND number = $2",
);
const forgetReasons = statement('offboarding_forget_reasons', 'UPDATE offboardings SET reason = NULL WHERE institution_id = $1 AND reason IS NOT NULL');

/** Ends a locked offboarding with its certificate; the reasons of earlier ones go, too. */
export async function writeCertificate(scope: InstitutionScope, number: number, certificate: string, now: Date): Promise<void> {
  await scope.sql(end, [scope.institutionId, number, now, certificate]);
  await scope.sql(forgetReasons, [scope.institutionId]);
}
