import { findAddressOwner, resealAddress, type AddressedKind } from '../../db/repositories/people/ownAddresses';
import type { Transaction } from '../context';
import { lockEmailsOfRotation } from './freeEmails';
import { emailFingerprints, sealEmail, type SealedEmail } from './personalEmail';

/** An address, sealed for the row of its person. */
export interface OwnAddress extends SealedEmail {
  id: string;
}

/**
 * Seals the address of a guardian or developer under the newest key: for the person who has it already, whose row then has
 * that seal, or for a new person with the id `newPersonId`.
 */
export async function sealOwnAddress(tx: Transaction, kind: AddressedKind, email: string, newPersonId: string): Promise<OwnAddress> {
  await lockEmailsOfRotation(tx);
  const known = await findAddressOwner(tx, kind, emailFingerprints(tx.secrets, email));
  const id = known ?? newPersonId;
  const address = sealEmail(tx.secrets, { institutionId: tx.institutionId, userId: id }, email);
  if (known !== undefined) await resealAddress(tx, id, address);
  return { id, ...address };
}
