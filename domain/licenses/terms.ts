/** The kinds of people that carry a license of their own. */
export type LicensedKind = 'student' | 'faculty';

/** What a new license is worth: devices by the specification's sections Student and Faculty. */
export const newLicenseTerms = {
  student: { licenseType: 'student', maxActivations: 2 },
  faculty: { licenseType: 'faculty', maxActivations: 3 },
} as const;

/** Bounds of `license_days` (section Limits). */
export const licenseDays = { min: 1, max: 3650, default: 365 } as const;
