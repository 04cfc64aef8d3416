import type { LicenseStatus, LicenseType } from '../../entities/license';

/** The license of a person, as columns of the person's row. */
export interface PersonLicenseColumns {
  license_id: string;
  license_type: LicenseType;
  license_status: LicenseStatus;
  license_expires_at: Date | null;
  license_is_lifetime: boolean;
}

/** Joins that add to people (`u`) their login email (`e`) and license (`l`): each person has one of both. */
export const joinLicense = 'JOIN institution_emails e ON e.user_id = u.id JOIN licenses l ON l.user_id = u.id';

/** People (`u`) with their login email (`e`) and license (`l`). */
export const licensedPeople = `users u ${joinLicense}`;

/** The id of the person with a login email, for the condition of a list. */
export const userIdByLoginEmail = '(SELECT named.user_id FROM institution_emails named WHERE named.login_email = lower($))';

/** Returns the condition of a list that a column is this person, named by id or login email. */
export const personCondition = (column: string, idOrEmail: string): string => `${column} = ${isLoginEmail(idOrEmail) ? userIdByLoginEmail : '$'}`;

/** The columns of {@link PersonLicenseColumns} in {@link licensedPeople}. */
export const licenseColumns = `l.id AS license_id, l.license_type, l.status AS license_status, l.expires_at AS license_expires_at,
  l.is_lifetime AS license_is_lifetime`;

/** Whether the identifier of a person is a login email rather than an id. */
export const isLoginEmail = (idOrEmail: string): boolean => idOrEmail.includes('@');
