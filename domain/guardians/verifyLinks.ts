import { hasLinksToVerify, verifyAcceptedLinks } from '../../db/repositories/guardians/linkChanges';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { signalInvitationChanged } from './invitation';

/**
 * Verifies the accepted, unexpired links of a locked guardian who signs in; emits `guardian.verified` for each. Above 500,
 * the maximum of events per transaction, the next sign-in verifies the remaining ones.
 */
export async function verifyLinks(tx: Transaction, personId: string): Promise<void> {
  if (!(await hasLinksToVerify(tx, personId, tx.now))) return;
  // Weekly reports are written under the same lock: their list stays in the order of its items.
  await lockInstitution(tx);
  for (const { id, student_id, guardian_type, invitation } of await verifyAcceptedLinks(tx, personId, tx.now)) {
    tx.emit('guardian.verified', { guardian_id: id, student_id, guardian_type });
    signalInvitationChanged(tx, { linkId: id, invitation });
  }
}
