import { InstitutionEntity } from '../../db/entities/institution';
import { openLedgers } from '../../db/repositories/institutions';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { licenseDays } from '../licenses/terms';
import { sealEmail } from '../people/personalEmail';
import { provisionPeople, type Provisioned } from '../people/provision';
import { defaultConfig } from './config';

/** What the platform says of a new institution. */
export interface NewInstitution {
  name: string;
  login_domain: string;
  admin_email: string;
  admin_name: string;
  time_zone?: string | undefined;
  allowance_cents?: number | undefined;
}

/**
 * Creates a `pending` institution with its counters, event clock and admin faculty record; emits `faculty.created`
 * and `license.generated` for the admin. `conflict` when the login domain is another institution's. The
 * transaction's institution id becomes the new institution's.
 */
export async function createInstitution(tx: Transaction, wanted: NewInstitution): Promise<{ institution: InstitutionEntity; admin: Provisioned }> {
  const institutions = tx.manager.getRepository(InstitutionEntity);
  if (await institutions.existsBy({ loginDomain: wanted.login_domain })) {
    throw new DomainError('conflict', 'Another institution uses this login domain.');
  }
  const institution = institutions.create({
    id: tx.institutionId,
    name: wanted.name,
    status: 'pending',
    loginDomain: wanted.login_domain,
    timeZone: wanted.time_zone ?? 'UTC',
    allowanceCents: wanted.allowance_cents ?? 0,
    config: defaultConfig(),
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await institutions.insert(institution);
  await openLedgers(tx);
  const [admin] = await provisionPeople(tx, 'faculty', [
    {
      fullName: wanted.admin_name,
      externalId: null,
      licenseDays: licenseDays.max,
      personalEmail: sealEmail(tx.secrets, wanted.admin_email),
      isAdmin: true,
    },
  ]);
  if (admin === undefined) throw new Error('The admin was not provisioned');
  return { institution, admin };
}
