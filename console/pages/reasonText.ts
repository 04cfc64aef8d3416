import { html, type Html } from '../html';
import { idLink } from '../components';
import { inlineTimeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';

/** What a reason names: an id of a replay or recovery, or of who changed something and the request; or a time of the audit log, without the “at” before it. */
const named = /\b(?:at (?=\d{4}-))?((?:rcv|rpl|key|fac|dev|stf|req)_[a-z0-9]{26}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\b/;
const resendingId = /^(?:rcv|rpl)_/;

/** Returns why an endpoint did or did not get an event, with links to the ids and with the times by the clocks of the institution. */
export const reasonText = (reason: string, endpointId: string, realTimes: Times): Html =>
  html`${reason.split(named).map((part, index) => {
    if (index % 2 === 0) return part;
    if (resendingId.test(part)) return html`<a href="${href(pathTo.replay(endpointId, part))}"><code>${part}</code></a>`;
    return part.includes('_') ? idLink(part) : inlineTimeElement(new Date(part), realTimes);
  })}`;
