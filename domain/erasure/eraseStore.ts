import { institutionScope } from '../../db/database';
import { findOpenErasure, lockOpenErasure, writeCertificate, writeRemoved, type ErasureRow, type RemovedRow } from '../../db/repositories/erasure/erasures';
import type { Domain } from '../context';
import { transact } from '../transact';
import { certificateText } from './certificate';
import type { EraseChunk, ErasureChunk, NextPlace } from './chunk';
import { eraseExports, eraseFiles, eraseProctoring, ownRows } from './ownData';
import { eraseEvents, eraseKeptCopies, eraseProvisioning, eraseResponses, eraseStoredResponses } from './copies';
import { eraseDevices, eraseEmails, eraseLoginEmail, eraseSignInCodes } from './signIn';
import { openSubject } from './subject';
import type { StoreName } from './stores';

/** An erasure by its row. */
export interface ErasureReference {
  personId: string;
  institutionId: string;
  number: number;
}

const erasers: Record<StoreName, EraseChunk> = {
  login_email: eraseLoginEmail,
  sessions: ownRows('sessions'),
  sign_in_codes: eraseSignInCodes,
  sign_ins: ownRows('sign_ins', 'account_claims'),
  devices: eraseDevices,
  files: eraseFiles,
  exports: eraseExports,
  submissions: ownRows('submissions'),
  proctoring: eraseProctoring,
  notes: ownRows('merit_moves', 'alpha_points', 'licenses'),
  emails: eraseEmails,
  kept_emails: eraseKeptCopies,
  bulk_calls: eraseProvisioning,
  events: eraseEvents,
  webhook_responses: eraseResponses,
  stored_responses: eraseStoredResponses,
};

/** What a chunk has removed, and where the next one begins. */
export interface ErasureStep {
  next: NextPlace;
  removed: number;
}

/** Erases one chunk of a store; nothing of an erasure that has ended. A chunk that is repeated removes and counts nothing twice. */
export async function eraseStoreChunk(domain: Domain, erasure: ErasureReference, store: StoreName, place: string, now: Date): Promise<ErasureStep> {
  const { institutionId, personId, number } = erasure;
  const scope = institutionScope(domain.database, institutionId);
  const open = await findOpenErasure(scope, personId, number);
  if (open === undefined) return { next: null, removed: 0 };
  let removed = 0;
  const remove: ErasureChunk['remove'] = async (work) => {
    const count = await transact(domain, { institutionId, now }, async (tx) => {
      const locked = await lockOpenErasure(tx, personId, number);
      if (locked === undefined) return 0;
      const done = await work(tx);
      await writeRemoved(tx, locked, withCount(locked, store, done, now));
      return done;
    });
    removed += count;
    return count;
  };
  const subject = openSubject(domain.secrets, erasure, open.subject_sealed);
  const next = await erasers[store]({ domain, scope, personId, subject, place, now, remove });
  // A store in which nothing was found is in the certificate, too.
  if (next === null && removed === 0) await remove(async () => Promise.resolve(0));
  return { next, removed };
}

function withCount({ removed }: ErasureRow, store: StoreName, count: number, now: Date): Record<string, RemovedRow> {
  const before = removed[store];
  if (before !== undefined && count === 0) return removed;
  return { ...removed, [store]: { count: (before?.count ?? 0) + count, at: now.toISOString() } };
}

/** Ends an erasure: writes its certificate, and forgets what it searched for. No-op if it has ended. */
export function endErasure(domain: Domain, { institutionId, personId, number }: ErasureReference, now: Date): Promise<void> {
  return transact(domain, { institutionId, now }, async (tx) => {
    const erasure = await lockOpenErasure(tx, personId, number);
    if (erasure !== undefined) await writeCertificate(tx, erasure, certificateText(institutionId, erasure, now), now);
  });
}
