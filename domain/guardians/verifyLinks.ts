import { hasLinksToVerify, verifyAcceptedLinks } from '../../db/repositories/guardians/linkChanges';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { signalInvitationChanged } from './invitation';

/**
 * Verifies, as their locked guardian signs in, the links that they have accepted in time; emits `guardian.verified` for each.
 * Of more than 500, for which a transaction has no events, the next sign-in takes the rest.
 */
export async function verifyLinks(tx: Transaction, personId: string): Promise<void> {
  if (!(await hasLinksToVerify(tx, personId, tx.now))) return;
  // The lock under which reports are written, too: their list stays in the order in which its items came.
  await lockInstitution(tx);
  for (const { id, student_id, guardian_type, invitation } of await verifyAcceptedLinks(tx, personId, tx.now)) {
    tx.emit('guardian.verified', { guardian_id: id, student_id, guardian_type });
    signalInvitationChanged(tx, { linkId: id, invitation });
  }
}
