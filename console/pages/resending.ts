import { countDeadDeliveries } from '../../db/repositories/webhooks/replays';
import type { SupportEndpoint } from '../../db/repositories/support/endpoints';
import type { InstitutionScope } from '../../db/database';
import { endOfRange } from '../../domain/webhooks/endOfRange';
import type { DeadFilter } from '../../domain/webhooks/replayDeadDeliveries';
import { typesMatchingAny } from '../../domain/webhooks/subscriptions';
import { html, type Html } from '../html';
import { plural, type Times } from '../format';
import { selectionQuery } from '../sendAgain';
import { href, pathTo } from '../consoleRequest';

/** How many match, whether all were looked at, and what is known of them. */
interface Counted {
  matched: number;
  complete: boolean;
  /** Says of a range of time in words why nothing of it can be sent, in place of the number that match. */
  impossible?: (range: string) => Html;
  /** What is sent, and why it was not sent before. */
  details?: Html | null;
  /** What of this time is not part of it. */
  left?: Html | null;
  /** The first of what is sent. */
  list?: Html | null;
}

/** What is sent again: what it is called, and how it is counted. */
export interface Resending {
  name: 'replay-dead' | 'recover';
  title: string;
  button: string;
  count: (scope: InstitutionScope, endpoint: SupportEndpoint, selection: DeadFilter & { until: Date }, times: Times) => Promise<Counted>;
  words: (matched: number, selected: string) => Html;
  nothing: (selected: string) => string;
}

/** Counts the dead deliveries of an endpoint that are selected. */
export const countDead = (scope: InstitutionScope, endpointId: string, { since, until, eventTypes, responseCodes }: DeadFilter & { until: Date }): Promise<number> =>
  countDeadDeliveries(scope, { endpointId, since, until, responseCodes, ...(eventTypes === undefined ? {} : { eventTypes: typesMatchingAny(eventTypes) }) });

/** Returns what a recovery leaves out: events that have a delivery, of which the dead ones are replayed instead. Says how many there are at any time, where that is more. */
export async function deadNotice(scope: InstitutionScope, id: string, selection: DeadFilter & { until: Date }, now: Date): Promise<Html | null> {
  const dead = await countDead(scope, id, selection);
  if (dead === 0) return null;
  const everything = { ...selection, since: new Date(0), until: undefined };
  const all = await countDead(scope, id, { ...everything, until: await endOfRange(scope, now, undefined) });
  const replay = (chosen: DeadFilter): string => href(`${pathTo.endpoint(id)}/replay-dead`, selectionQuery(chosen));
  const types = selection.eventTypes === undefined ? '' : ` of ${selection.eventTypes.join(', ')}`;
  return html`<p class="notice warn" id="dead"><strong>${plural(dead, 'dead delivery')}</strong> of this time ${dead === 1 ? 'is' : 'are'} not part of a recovery, for the events were tried. What is dead is older: send that first,
    <a href="${replay(selection)}">replay ${dead === 1 ? 'it' : 'them'}…</a>${all === dead ? null : html` With those of other times the endpoint has <strong>${plural(all, 'dead delivery')}</strong>${types}: <a href="${replay(everything)}">replay all…</a>`}</p>`;
}
