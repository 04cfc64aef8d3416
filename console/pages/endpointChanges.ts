import type { InstitutionScope } from '../../db/database';
import { findLastChange, type AuditedChange } from '../../db/repositories/auditLog/auditLog';
import type { Backlog, SupportEndpoint } from '../../db/repositories/support/endpoints';
import { joinWords } from '../../lib/joinWords';
import { formatSpan } from '../../lib/span';
import { inlineTimeElement, type Times } from '../format';
import { html, type Html } from '../html';
import { href, pathTo } from '../consoleRequest';
import { changeText } from './auditedCall';

const changingCalls = ['createWebhookEndpoint', 'updateWebhookEndpoint', 'rotateWebhookSecret'];

/** Returns the last call that changed an endpoint; undefined if the audit log has none. */
export const findLastEndpointChange = (scope: InstitutionScope, id: string): Promise<AuditedChange | undefined> => findLastChange(scope, changingCalls, id);

/** Says that an endpoint's address was set after a real time, so that what was sent then may have gone to another; null if it was not. */
export async function addressNote(scope: InstitutionScope, endpointId: string, sentAt: Date, times: Times): Promise<Html | null> {
  const change = await findLastChange(scope, ['updateWebhookEndpoint'], endpointId, 'url');
  if (change === undefined || change.at <= sentAt) return null;
  return html`<span class="second">This is its address now: it was set after the first attempt. Attempts before that may have gone to another, which is not stored.</span>${changeText(change, times)}`;
}

/** How long before its first failure a change of an endpoint is named for it, in ms. */
const suspectMs = 3_600_000;

/** Returns what a change of an endpoint changed: the fields that were sent. */
const whatChanged = ({ operation, changed }: AuditedChange): string =>
  operation === 'rotateWebhookSecret' ? 'its secret was rotated' : operation === 'createWebhookEndpoint' ? 'it was created' : `${joinWords(changed)} ${changed.length === 1 ? 'was' : 'were'} set`;

/** Returns what became of an endpoint last, for a list of its details: the call that changed it, or that the service disabled it after that; undefined if neither is known. */
export function lastChangeItem(
  { status, clock_offset_ms }: SupportEndpoint,
  { lastChange, disabledAt }: { lastChange: AuditedChange | undefined; disabledAt: Date | undefined },
  times: Times,
): readonly [string, Html] | undefined {
  const call = lastChange === undefined ? undefined : html`${whatChanged(lastChange)}${changeText(lastChange, times)}`;
  // The audit log has the real time, behind the clock of a sandbox.
  const isDisabledSince = status === 'disabled' && disabledAt !== undefined && (lastChange === undefined || disabledAt.getTime() - clock_offset_ms >= lastChange.at.getTime());
  if (!isDisabledSince) return call === undefined ? undefined : ['Last change', call];
  return ['Last change', html`it was disabled by the service ${inlineTimeElement(disabledAt, times)}${call === undefined ? null : html`<span class="second">The last call before: ${call}</span>`}`];
}

/** Says what the school does where its receiver does not have the secret of a rotation, and what sends the deliveries that failed. */
function newSecretText({ id, institution_id }: SupportEndpoint, { held, retrying }: Backlog): Html {
  const waiting = href(pathTo.deliveries(institution_id), { status: 'retrying', endpoint: id });
  const then = [
    ...(held > 0 ? ['a test of the endpoint has what is held sent'] : []),
    ...(retrying > 0 ? [html`what <a href="${waiting}">waits for a retry</a> is sent when that is due, or at once by Retry now at the delivery`] : []),
    'what was given up is replayed',
  ];
  return html`<span class="second">If the receiver refuses the signature: the answer of that call alone has the new secret. The school gives it to the receiver; where nobody has it, the school rotates the secret again and gives it the new one. Then ${then.map((text, index) => html`${index === 0 ? null : '; '}${text}`)}.</span>`;
}

/** Says of a failing endpoint what was changed shortly before its first failure; null if nothing was, or it does not fail. */
export function suspectNotice(endpoint: SupportEndpoint, change: AuditedChange | undefined, backlog: Backlog, times: Times): Html | null {
  const { consecutive_failures, first_failed_at, clock_offset_ms } = endpoint;
  if (change === undefined || change.operation === 'createWebhookEndpoint' || consecutive_failures === 0 || first_failed_at === null) return null;
  const beforeMs = first_failed_at.getTime() - clock_offset_ms - change.at.getTime();
  if (beforeMs < 0 || beforeMs > suspectMs) return null;
  return html`<p class="notice calm" id="suspect">${formatSpan(beforeMs)} before its first failure ${whatChanged(change)}.${changeText(change, times)}${change.operation === 'rotateWebhookSecret' ? newSecretText(endpoint, backlog) : null}</p>`;
}

/** Says until when the secret before the last rotation signs, too. */
export function earlierSecretText(rotatedAt: Date | null, expiresAt: Date | null, times: Times): Html | null {
  if (rotatedAt === null) return null;
  if (expiresAt === null) return html`<span class="second">The secret before ended at once.</span>`;
  return html`<span class="second">The secret before ${expiresAt > times.now ? 'signs, too, until' : 'signed, too, until'} ${inlineTimeElement(expiresAt, times)}.</span>`;
}
