import type { ReplayedAgain } from '../../db/repositories/support/replayOutcomes';
import { html, type Html } from '../html';
import { href, pathTo } from '../consoleRequest';
import { isOwnRef } from './replayRefs';

/** Returns what replayed a delivery again. */
function againBy({ again_by, endpoint_id }: ReplayedAgain): Html {
  if (again_by === null) return html`by a single replay without a ref`;
  if (isOwnRef({ ref: again_by })) return html`under the ref “${again_by}”`;
  return html`by <a href="${href(pathTo.replay(endpoint_id, again_by))}"><code>${again_by}</code></a>`;
}

/** Returns how the last attempt of the earlier replay ended. */
function lastAttemptText({ succeeded, response_code, error_class }: ReplayedAgain, noun: string): string {
  if (succeeded === null) return `of this ${noun} no attempt is stored`;
  const end = succeeded ? 'delivered it' : response_code === null ? `failed: ${error_class ?? 'no answer'}` : `was refused with ${response_code}`;
  return `the last attempt of this ${noun} ${end}`;
}

/** Says what replayed a delivery again, and what the replay or recovery that is looked at had brought it. */
export const replayedAgainText = (entry: ReplayedAgain, noun: string): Html => html`replayed again ${againBy(entry)}; ${lastAttemptText(entry, noun)}`;

/** Returns the same as a line with a link to the delivery. */
export const replayedAgainLine = (entry: ReplayedAgain, noun: string): Html =>
  html`<span class="second"><a href="${href(pathTo.delivery(entry.delivery_id))}"><code>${entry.delivery_id}</code></a> was ${replayedAgainText(entry, noun)}</span>`;
