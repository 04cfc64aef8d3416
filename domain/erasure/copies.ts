import type { InstitutionScope } from '../../db/database';
import { eraseProvisioningRows, eraseResponseBodies, listBatches, listDeliveriesAfter, listStoredResponses, lockStoredResponse, replaceInEvents, rewriteStoredResponse, searchEvents, searchResponseBodies, type StoredResponseRow } from '../../db/repositories/erasure/copies';
import { eraseKeptEmails, listKeptEmails } from '../../db/repositories/erasure/emails';
import { listWorkIds } from '../../db/repositories/erasure/people';
import type { SandboxEmailRow } from '../../db/repositories/sandbox/emails';
import type { Domain } from '../context';
import { responsePlace } from '../idempotency/responsePlace';
import { openKeptEmail } from '../sandbox/keptEmails';
import type { EraseChunk } from './chunk';
import { redactResponse } from './redactResponse';
import { identifyingTexts, type ErasureSubject } from './subject';

/** Maximum number of rows of a chunk that are looked at. */
const batchesPerChunk = 100;
const eventsPerChunk = 5_000;
const deliveriesPerChunk = 1_000;
const responsesPerChunk = 200;
const keptEmailsPerChunk = 500;

/** Removes what bulk calls say of the person, created or refused. */
export const eraseProvisioning: EraseChunk = async ({ scope, personId, subject, place, remove }) => {
  const { loginEmail, fullName, externalId } = subject;
  if (loginEmail === null) return null;
  const ids = await listBatches(scope, place, batchesPerChunk);
  const searched = { personId, loginEmail: loginEmail.former, newLoginEmail: loginEmail.replacement, fullName, externalId };
  if (ids.length > 0) await remove((tx) => eraseProvisioningRows(tx, ids, searched));
  return ids.length === batchesPerChunk ? (ids.at(-1) ?? null) : null;
};

/** Replaces the login email in the payloads of events, which the feed returns and webhooks send. */
export const eraseEvents: EraseChunk = async ({ scope, subject: { loginEmail }, place, remove }) => {
  if (loginEmail === null) return null;
  const { until, ids } = await searchEvents(scope, loginEmail.former, place === '' ? '-infinity' : new Date(place), eventsPerChunk);
  if (ids.length > 0) await remove((tx) => replaceInEvents(tx, ids, loginEmail.former, loginEmail.replacement));
  return until?.toISOString() ?? null;
};

/** Removes responses of receivers to what was about the person, or that name the person. */
export const eraseResponses: EraseChunk = async ({ scope, subject, place, remove }) => {
  const [createdAt = '', id = ''] = place.split('|');
  const deliveries = await listDeliveriesAfter(scope, { createdAt: createdAt === '' ? '-infinity' : new Date(createdAt), id }, deliveriesPerChunk);
  const found = await searchResponseBodies(scope, deliveries.map((one) => one.id), identifyingTexts(subject), subject.ids);
  if (found.length > 0) await remove((tx) => eraseResponseBodies(tx, found));
  const last = deliveries.at(-1);
  return last === undefined || deliveries.length < deliveriesPerChunk ? null : `${last.created_at.toISOString()}|${last.id}`;
};

/** Removes what stored responses say of the person; a repeated call still gets its response. */
export const eraseStoredResponses: EraseChunk = async ({ domain, scope, personId, subject, place, remove }) => {
  const stored = await listStoredResponses(scope, place, responsesPerChunk);
  const searched = { ...subject, ids: [...subject.ids, ...(await listWorkIds(scope, personId))] };
  for (const row of stored) {
    if (redacted(domain, scope, row, searched) === undefined) continue;
    await remove(async (tx) => {
      // It may have been sealed under another key meanwhile, or belong to another call.
      const locked = await lockStoredResponse(tx, row.key);
      const rewritten = locked && redacted(domain, tx, locked, searched);
      return rewritten === undefined ? 0 : rewriteStoredResponse(tx, row.key, rewritten);
    });
  }
  return stored.length === responsesPerChunk ? (stored.at(-1)?.key ?? null) : null;
};

/** Returns a stored response without what it says of the person, sealed; undefined if it says nothing. */
function redacted({ secrets }: Pick<Domain, 'secrets'>, { institutionId }: Pick<InstitutionScope, 'institutionId'>, { key, response_sealed }: StoredResponseRow, subject: ErasureSubject): string | undefined {
  const place = responsePlace(institutionId, key);
  const response = secrets.open(response_sealed, place);
  const rewritten = redactResponse(response, subject);
  return rewritten === response ? undefined : secrets.seal(rewritten, place);
}

/** Deletes emails that a sandbox kept instead of sending them, to the person or about them. */
export const eraseKeptCopies: EraseChunk = async ({ domain, scope, subject, place, remove }) => {
  const kept = await listKeptEmails(scope, place, keptEmailsPerChunk);
  const [recipients, texts] = [new Set(subject.ids), identifyingTexts(subject)];
  const found = kept.filter((email) => recipients.has(email.recipient_id) || texts.some((one) => contains(domain, scope, email, one)));
  if (found.length > 0) await remove((tx) => eraseKeptEmails(tx, found.map(({ id }) => id)));
  return kept.length === keptEmailsPerChunk ? (kept.at(-1)?.id ?? null) : null;
};

/** Whether a kept email contains a text, or cannot be read. Errors of Joi contain the email, which must not reach a workflow. */
function contains({ secrets }: Pick<Domain, 'secrets'>, { institutionId }: Pick<InstitutionScope, 'institutionId'>, email: Pick<SandboxEmailRow, 'id' | 'email_sealed'>, wanted: string): boolean {
  try {
    const { subject, text } = openKeptEmail(secrets, institutionId, email);
    return subject.includes(wanted) || text.includes(wanted);
  } catch {
    return true;
  }
}
