import { createHash } from 'node:crypto';

/**
 * Fields whose value is returned once, or to some callers only, and the operations whose responses have them. Any other
 * field with the name of a secret is a leak everywhere.
 */
const disclosedBy: Readonly<Record<string, readonly string[]>> = {
  api_key: ['createKey'],
  staff_token: ['createStaffToken'],
  secret: ['createWebhookEndpoint', 'rotateWebhookSecret'],
  session: ['signIn'],
  hidden_key_b64: ['releaseCodeSecret', 'releaseHiddenTests'],
  recordings: ['getSubmission', 'gradeSubmission', 'voidSubmission'],
  guardian_email: ['listGuardians', 'inviteGuardian', 'resendGuardianInvitation', 'listStudentGuardians', 'acceptSandboxInvitation', 'signInSandboxGuardian'],
};

/** Fields that hold secrets in the responses of these operations only: guardians and developers are named by their own addresses. */
const disclosedToOwner: Readonly<Record<string, readonly string[]>> = {
  login_email: ['signIn'],
  email: [
    'listDevelopers', 'listInstitutionDevelopers', 'inviteDeveloper', 'resendDeveloperInvitation', 'suspendDeveloper', 'reactivateDeveloper', 'updateDeveloper',
    'revokeDeveloper',
  ],
};

/** Fields of a request whose values come back from no operation, but for those of the table above. */
const secretRequestFields = /"(?:personal_email|admin_email|guardian_email|hidden_key_b64)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
const secretProfileField = /"email"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

// No look behind a word that has begun: a long text without an address costs no more than its length.
const address = String.raw`(?<![\w.+-])[\w.+-]{1,64}(?:@|%40)[\w-]+(?:\.[\w-]+)*`;
const thirtyTwoBytes = String.raw`(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=`;
const digest = String.raw`(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])`;

/** What looks like a secret; it is a leak where this very value is known. */
const registeredFormats = `${address}|${thirtyTwoBytes}|${digest}`;

/** What is a leak by its form: keys, webhook secrets, session tokens, fields that no response has, bytes of the database. */
const secretFormats = [
  String.raw`svc_live_[A-Za-z0-9]{32}`,
  String.raw`svc_staff_[\w-]{43}`,
  String.raw`wh(?:sec|sk)_[A-Za-z0-9+/=]{20,}`,
  String.raw`(?<!\w)ses_[\w-]{43}`,
  String.raw`(?<!\\)"(?:personal_email|admin_email|license_key|password|\w+_(?:sealed|hmac|hash)|${Object.keys(disclosedBy).join('|')})"\s*:`,
  String.raw`(?<!\\)"type":"Buffer"`,
].join('|');

const suspects = new RegExp(`(${secretFormats})|${registeredFormats}`, 'g');
const addresses = new RegExp(registeredFormats, 'g');

/** Values that the tests of this file have sent to the service, in lower case. */
const secrets = new Set<string>();

const normalizeSecret = (found: string): string => found.replace('%40', '@').toLowerCase();

/** Returns the secrets in a text that must not be returned to any caller; `text` is a value, or JSON with values. */
export function registerSecret(text: string): void {
  for (const [found] of text.matchAll(addresses)) secrets.add(normalizeSecret(found));
}

/** Registers the secrets of a request: personal, admin's, guardians' and developers' emails, hidden-test keys; `body` as it is sent. */
export function registerRequestSecrets(path: string, body: string): void {
  for (const field of path === '/me/profile' || path.endsWith('/developers') ? [secretRequestFields, secretProfileField] : [secretRequestFields]) {
    for (const [, value = ''] of body.matchAll(field)) registerSecret(value.replaceAll('\\/', '/'));
  }
}

/** Registers the stored hashes of a key or token as secrets. */
export function registerHashes(token: string): void {
  const hash = createHash('sha256').update(token).digest();
  for (const form of ['hex', 'base64'] as const) secrets.add(hash.toString(form).toLowerCase());
}

/** The text without the secrets that this operation returns in the field that the contract gives it for that. */
function withoutDisclosedFields(operationId: string, text: string): string {
  return [...Object.entries(disclosedBy), ...Object.entries(disclosedToOwner)].reduce((rest, [field, tellers]) => {
    if (!tellers.includes(operationId)) return rest;
    return rest.replaceAll(new RegExp(`"${field}":(?:"([^"]*)")?`, 'g'), (_whole, value: string | undefined) => {
      if (value !== undefined) registerHashes(value);
      return '"told":';
    });
  }, text);
}

/** Returns every leak in a response, in one pass; empty if there is none. */
export function findLeaks(operationId: string, text: string): string[] {
  const leaks: string[] = [];
  for (const [found, byForm] of withoutDisclosedFields(operationId, text).matchAll(suspects)) {
    if (byForm !== undefined || secrets.has(normalizeSecret(found))) leaks.push(found);
  }
  return leaks;
}

/** Throws if a response contains a leak. */
export function requireNoLeak(operationId: string, text: string): void {
  const leaks = findLeaks(operationId, text);
  if (leaks.length > 0) throw new Error(`${operationId} answered what it must not: ${leaks.join(', ')}`);
}
