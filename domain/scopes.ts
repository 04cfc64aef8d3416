const resources = [
  { name: 'students', read: 'List and read students.', write: 'Provision, update and suspend students, map personal emails.' },
  { name: 'faculty', read: 'List and read faculty.', write: 'Provision and update faculty.' },
  { name: 'groups', read: 'Read groups and their membership.', write: 'Change groups and their membership.' },
  { name: 'licenses', read: 'Read licenses and device seats.', write: 'Extend and revoke licenses.' },
  { name: 'exams', read: 'Read exams and assignments.', write: 'Create and publish exams, files and hidden-test keys. The commands of coding exams run on the devices of students.' },
  {
    name: 'submissions',
    read: 'Read submissions, scores and proctoring events.',
    write: 'Grade and void submissions; also unlocks recordings.',
  },
  { name: 'coupons', read: 'Read coupon batches and redemptions.', write: 'Request coupon batches.' },
  { name: 'merits', read: 'Read wallets and the ledger.', write: 'Credit merits.' },
  { name: 'guardians', read: 'Read guardian links and reports.', write: 'Invite and remove guardians.' },
  { name: 'alpha', read: 'Read Alpha Learning data.', write: 'Enroll students and award points.' },
  { name: 'institution', read: 'Read the profile.', write: 'Change the integration config.' },
  { name: 'webhooks', read: 'Read endpoints, deliveries and events.', write: 'Create endpoints, rotate secrets, replay deliveries.' },
] as const;

type Resource = (typeof resources)[number]['name'];

/** A scope of the specification (section Authentication, 5). */
export type Scope = `${Resource}:${'read' | 'write'}`;

/** Every scope with its description, in the specification's order. */
export const scopes: readonly { scope: Scope; description: string }[] = resources.flatMap(({ name, read, write }) => [
  { scope: `${name}:read` as const, description: read },
  { scope: `${name}:write` as const, description: write },
]);

/** The name of every scope. */
export const knownScopes: ReadonlySet<string> = new Set(scopes.map(({ scope }) => scope));

/** Whether a text names a scope. */
export function isScope(text: string): text is Scope {
  return knownScopes.has(text);
}

/** Whether the granted scopes cover the required one; `x:write` implies `x:read`. */
export function grants(granted: readonly string[], required: Scope): boolean {
  return granted.includes(required) || granted.includes(required.replace(/:read$/, ':write'));
}

/** Returns what scopes cover within a ceiling: a write scope of which only the read scope is allowed counts as that. No ceiling is null. */
export function scopesWithin(granted: readonly string[], ceiling: readonly string[] | null): readonly string[] {
  if (ceiling === null) return granted;
  return [...knownScopes].filter((scope) => isScope(scope) && grants(granted, scope) && grants(ceiling, scope));
}
