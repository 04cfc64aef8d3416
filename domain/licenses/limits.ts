/** The kinds of people that carry a license of their own. */
export type LicensedKind = 'student' | 'faculty';

/** What a new license is worth: devices by the specification's sections Student and Faculty. */
export const newLicenseTerms = {
  student: { licenseType: 'student', maxActivations: 2 },
  faculty: { licenseType: 'faculty', maxActivations: 3 },
} as const;

/** Bounds of `license_days` (section Limits). */
export const licenseDays = { min: 1, max: 3650, default: 365 } as const;

/** Bounds of a license for lab machines: how many, for how many days. */
export const labLicense = { seats: { min: 1, max: 1_000 }, days: { min: 1, max: 3650 } } as const;

/** Bounds of `days` in one extension. */
export const extensionDays = { min: 1, max: 3650 } as const;

/** No extension leads further ahead than this: however often one is repeated, an expiry keeps a year of four digits. */
export const maxExpiryDays = 36_500;

/** What "expiring soon" means in the license summary. */
export const expiringSoonDays = 30;

const dayMs = 86_400_000;

/** The moment so many whole days (of 24 hours) after another. */
export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMs);
