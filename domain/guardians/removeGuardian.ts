import { deleteGuardianLink } from '../../db/repositories/guardians/linkChanges';
import { lockGuardianLinkToRemove } from '../../db/repositories/guardians/links';
import { removeUnlinkedGuardian } from '../../db/repositories/guardians/people';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import { signalInvitationChanged } from './invitation';

/** Removes a link: the guardian no longer sees the student. With the last link the person, their sessions and codes are deleted. */
export async function removeGuardian(tx: Transaction, id: string): Promise<void> {
  const { person_id, student_id, invitation } = requireFound(await lockGuardianLinkToRemove(tx, id), 'guardian');
  tx.recordSubject({ student_id });
  await deleteGuardianLink(tx, id);
  await removeUnlinkedGuardian(tx, person_id);
  signalInvitationChanged(tx, { linkId: id, invitation });
}
