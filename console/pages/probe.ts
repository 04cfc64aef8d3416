import { inlineTimeElement, type Times } from '../format';
import { html, type Html } from '../html';

/** Returns when the next probe of an open circuit is sent: one that is due already waits for a delivery if there is none. */
export function probeSentence(probeAt: Date, times: Times, isAnyWaiting: boolean): Html {
  const isDue = probeAt <= times.now;
  if (!isAnyWaiting) return html`Nothing waits, so there is no probe: the next delivery is sent as one${isDue ? ' at once' : html`, not before ${inlineTimeElement(probeAt, times)}`}.`;
  return isDue ? html`A probe is due now.` : html`The next probe is due ${inlineTimeElement(probeAt, times)}.`;
}
