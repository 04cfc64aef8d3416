import { maxOutageAttempts, type Outage } from '../../db/repositories/support/outages';
import { formatDelay } from '../../lib/span';
import { inlineTimeElement, plural, spanText, timeText, type Times } from '../format';
import { html, type Html } from '../html';

/** Returns when an endpoint failed last, how often and for how long, and its first success after that, for a list of its details; undefined if no failed attempt is stored. */
export function lastOutageItem(outage: Outage | undefined, times: Times): readonly [string, Html] | undefined {
  if (outage === undefined) return undefined;
  const { from, to, failed_attempts: failed, recovered_at: recovered } = outage;
  const isCountedUp = failed >= maxOutageAttempts;
  const span = isCountedUp ? `at least since ${timeText(from, times)}, until ${timeText(to, times)}` : spanText(from, to, times);
  const length = recovered === null ? null : html`<span class="second">${isCountedUp ? 'at least ' : ''}${formatDelay(recovered.getTime() - from.getTime())} from the first failure to that success</span>`;
  return ['Last outage', html`failed ${span} (${plural(failed, 'attempt')}${isCountedUp ? ' or more' : ''}), ${recovered === null ? 'no success since' : html`first success after it ${inlineTimeElement(recovered, times)}`}${length}`];
}
