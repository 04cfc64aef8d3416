/** The kinds of people that have a license. */
export type LicensedKind = 'student' | 'faculty';

/** The terms of a new license: number of devices by the specification's sections Student and Faculty. */
export const newLicenseTerms = {
  student: { licenseType: 'student', maxActivations: 2 },
  faculty: { licenseType: 'faculty', maxActivations: 3 },
} as const;

/** Limits of `license_days` (section Limits). */
export const licenseDays = { min: 1, max: 3650, default: 365 } as const;

/** Limits of a license for lab machines: number of machines, number of days. */
export const labLicense = { seats: { min: 1, max: 1_000 }, days: { min: 1, max: 3650 } } as const;

/** Limits of `days` in one extension. */
export const extensionDays = { min: 1, max: 3650 } as const;

/** Maximum expiry of any extension in days from now, so that years keep four digits. */
export const maxExpiryDays = 36_500;

/** Days that count as "expiring soon" in the license summary. */
export const expiringSoonDays = 30;

const dayMs = 86_400_000;

/** Returns the time `days` whole days (of 24 hours) after another. */
export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMs);
