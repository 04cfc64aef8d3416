import { randomBytes } from 'node:crypto';
import { insertPeople, type ProvisionedPerson } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { addDays, newLicenseTerms, type LicensedKind } from '../licenses/limits';
import { requireFreeEmails } from './freeEmails';
import { canonicalEmail, sealEmail } from './personalEmail';

/** A person to provision. */
export interface NewPerson {
  fullName: string | null;
  externalId: string | null;
  licenseDays: number;
  personalEmail: string | null;
  isAdmin?: boolean;
}

/** The result of provisioning one person. */
export interface ProvisionedAccount {
  id: string;
  loginEmail: string;
  licenseId: string;
  licenseExpiresAt: Date;
}

const idPrefix = { student: 'stu', faculty: 'fac' } as const;
const firstStatus = { student: 'pending', faculty: 'active' } as const;

/**
 * Creates user, institution email and license of each person, all or none, in input order with consecutive
 * numbers: the next ones, or from `firstNumber` on if they were reserved. Emits `student.created` or
 * `faculty.created` and `license.generated` for each (section Student). Fails with the unique violation of a personal email that
 * another person has; `conflict` if it is stored under an earlier key.
 */
export async function provisionPeople(
  tx: Transaction,
  kind: LicensedKind,
  people: readonly NewPerson[],
  firstNumber?: number,
): Promise<ProvisionedAccount[]> {
  if (people.length === 0) return [];
  await requireFreeEmails(tx, people.flatMap(({ personalEmail }) => (personalEmail === null ? [] : [canonicalEmail(personalEmail)])));
  const drafts = people.map((person) => draft(tx, kind, person));
  const status = firstStatus[kind];
  const { licenseType, maxActivations } = newLicenseTerms[kind];
  const written = await insertPeople(tx, { kind, status, licenseType, maxActivations, now: tx.now, firstNumber }, drafts.map(({ row }) => row));
  return drafts.map(({ row, expiresAt }, index) => {
    const loginEmail = written[index]?.login_email;
    if (loginEmail === undefined) throw new Error('Provisioning wrote fewer people than requested');
    if (kind === 'student') tx.emit('student.created', { student_id: row.id, login_email: loginEmail, status });
    else tx.emit('faculty.created', { faculty_id: row.id, login_email: loginEmail, status: firstStatus.faculty });
    tx.emit('license.generated', {
      license_id: row.license_id,
      license_type: licenseType,
      user_id: row.id,
      expires_at: expiresAt.toISOString(),
    });
    return { id: row.id, loginEmail, licenseId: row.license_id, licenseExpiresAt: expiresAt };
  });
}

function draft({ institutionId, now, secrets }: Transaction, kind: LicensedKind, person: NewPerson): { row: ProvisionedPerson; expiresAt: Date } {
  const expiresAt = addDays(now, person.licenseDays);
  const id = newId(idPrefix[kind]);
  const email = person.personalEmail === null ? null : sealEmail(secrets, { institutionId, userId: id }, person.personalEmail);
  return {
    expiresAt,
    row: {
      id,
      license_id: newId('lic'),
      hex: randomBytes(4).toString('hex'),
      full_name: person.fullName,
      external_id: person.externalId,
      is_admin: person.isAdmin ?? false,
      personal_email_sealed: email?.sealed ?? null,
      personal_email_hmac: email?.fingerprint.toString('hex') ?? null,
      expires_at: expiresAt.toISOString(),
    },
  };
}
