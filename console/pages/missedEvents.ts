import { countMissedByType, type MissedEvent, type MissedOfType } from '../../db/repositories/webhooks/recovery';
import type { InstitutionScope } from '../../db/database';
import type { SupportEndpoint } from '../../db/repositories/support/endpoints';
import { findMissedEvents, type MissedEvents } from '../../domain/webhooks/missedEvents';
import { maxEventsCounted } from '../../domain/webhooks/recoverDeliveries';
import type { DeadFilter } from '../../domain/webhooks/replayDeadDeliveries';
import { typesMatchingAny } from '../../domain/webhooks/subscriptions';
import { html, type Html } from '../html';
import { descriptionList, section, table, type Column } from '../components';
import { inlineTimeElement, plural, timeElement, type Times } from '../format';
import { selectionQuery } from '../sendAgain';
import { href, pathTo } from '../consoleRequest';
import { deadNotice, type Resending } from './resending';

/** The events before From without a delivery to an endpoint. */
type Earlier = Pick<MissedEvents, 'matched' | 'beforeCreation' | 'complete'>;

async function countEarlier(scope: InstitutionScope, { id, created_at }: SupportEndpoint, since: Date, counted: readonly string[]): Promise<Earlier> {
  if (since.getTime() === 0) return { matched: 0, beforeCreation: 0, complete: true };
  const { types, complete } = await countMissedByType(scope, { id, created_at, changedAt: undefined }, { since: new Date(0), until: since, types: typesMatchingAny(counted) }, maxEventsCounted);
  return { matched: types.reduce((sum, { count }) => sum + count, 0), beforeCreation: types.reduce((sum, { beforeCreation }) => sum + beforeCreation, 0), complete };
}

/** Returns how many events before From have no delivery to an endpoint either, and how to recover them with the others. */
function earlierMissedNotice(id: string, { matched, beforeCreation, complete }: Earlier, selection: DeadFilter): Html | null {
  if (matched === 0) return null;
  const everything = selectionQuery({ ...selection, since: new Date(0) });
  return html`<p class="notice calm" id="earlier"><strong>${complete ? '' : 'At least '}${matched.toLocaleString('en')} more</strong> happened before${beforeCreation === 0 ? null : beforeCreation === matched ? ', when the endpoint was not created yet' : `, ${beforeCreation.toLocaleString('en')} of them when the endpoint was not created yet`}:
    <a href="${href(`${pathTo.endpoint(id)}/recover`, everything)}">recover ${matched === 1 ? 'it' : 'them'}, too…</a></p>`;
}

/** Returns why events have no delivery to an endpoint, as far as the rows tell. */
function reasonList({ matched, beforeCreation, beforeChange }: MissedEvents): Html {
  const reasons: [reason: string, count: number][] = [
    ['Before the endpoint was created', beforeCreation],
    ['While it was disabled, or did not subscribe to them: its subscriptions were changed since', beforeChange],
    ['While it was disabled', matched - beforeCreation - beforeChange],
  ];
  return section('reasons', 'Why they were not sent', descriptionList(...reasons.map(([reason, number]) => (number === 0 ? undefined : [reason, html`<span class="big">${number.toLocaleString('en')}</span>`] as const))));
}

/** Leads from a recovery that has events of before the endpoint was created to one without them. */
function sinceCreationNotice({ id, created_at }: SupportEndpoint, { matched, beforeCreation }: MissedEvents, selection: DeadFilter): Html | null {
  const others = matched - beforeCreation;
  if (beforeCreation === 0 || others === 0) return null;
  return html`<p class="notice calm" id="since-creation">${plural(beforeCreation, 'event')} happened before the endpoint was created:
    <a href="${href(`${pathTo.endpoint(id)}/recover`, selectionQuery({ ...selection, since: created_at }))}">recover only the ${others === 1 ? 'other one' : `other ${others.toLocaleString('en')}`}…</a></p>`;
}

/** Returns a number that may be too small, as "3 or more". */
const orMore = (count: number, complete: boolean): string => `${count.toLocaleString('en')}${complete ? '' : ' or more'}`;

/** Returns event types with their numbers: "merits.credited 2, faculty.created 1". */
const typeCounts = (types: readonly MissedOfType[], complete: boolean): string => types.map(({ type, count }) => `${type} ${orMore(count, complete)}`).join(', ');

/** Says that a recovery sends none of the chosen types, and how many events of them it leaves out. */
function notSubscribedText({ notSubscribed, complete }: MissedEvents, chosen: string, range: string): Html {
  const count = notSubscribed.reduce((sum, { count: ofType }) => sum + ofType, 0);
  const events = count === 1 && complete ? '1 such event' : `${orMore(count, complete)} such events`;
  return html`<strong>It does not subscribe to ${chosen}, so none is recovered.</strong> ${count === 0 && complete ? 'No such event' : events} without a delivery to it happened ${range}${
    notSubscribed.length > 1 ? `: ${typeCounts(notSubscribed, complete)}` : null}.`;
}

/** Says what the school does before events of types that its endpoint does not subscribe to can be recovered. */
const subscribeFirst = (id: string, who: string): Html => html`${who} to <code>events</code> of the endpoint first, with its key and the whole list:
    <code>PATCH /v1/webhooks/endpoints/${id}</code>. The console cannot. Then count again.`;

/** Says which types are counted, and how many events of each there are. */
function typesSentence({ counted, counts, complete }: MissedEvents): Html {
  return html`<p class="sentence" id="types">Counted are the types that it subscribes to now: ${counted.join(', ')}.${counts.length === 0 ? null : ` Of these: ${typeCounts(counts, complete)}.`}</p>`;
}

/** Says which events are not counted because the endpoint does not subscribe to them; null if there are none. */
function notCountedNotice({ id, institution_id }: SupportEndpoint, { notSubscribed, changedAt, complete }: MissedEvents, times: Times): Html | null {
  if (notSubscribed.length === 0) return null;
  return html`<p class="notice warn" id="not-counted"><strong>Not counted: ${typeCounts(notSubscribed, complete)}.</strong> These events have no delivery to the endpoint either, and it does not subscribe to them. ${
    changedAt === undefined ? null : html`Its subscriptions were last changed ${inlineTimeElement(changedAt, times)}: <a href="${href(pathTo.auditLog(institution_id), { target: id, operation: 'updateWebhookEndpoint' })}">who changed them</a>. `}
    ${subscribeFirst(id, 'If they are wanted, the school adds their types')}</p>`;
}

const listColumns = (times: Times): readonly Column<MissedEvent>[] => [
  { title: 'Happened', cell: ({ created_at }) => timeElement(created_at, times) },
  { title: 'Event', cell: ({ id, type }) => html`<a href="${href(pathTo.event(id))}">${type}</a><span class="second"><code>${id}</code></span>` },
];

/** Lists the oldest events that will be sent. */
function missedList({ first, matched }: MissedEvents, times: Times): Html | null {
  if (first.length === 0) return null;
  const title = matched > first.length ? `The oldest ${first.length} of them` : 'Which events';
  return section('events', title, table('Missed events, oldest first', listColumns(times), first, ({ id }) => id));
}

/** The events of a time without a delivery to an endpoint. */
export const missedEvents: Resending = {
  name: 'recover',
  title: 'Recover missed events?',
  button: 'Recover them',
  count: async (scope, endpoint, selection, times) => {
    const { id } = endpoint;
    const { since } = selection;
    const missed = await findMissedEvents(scope, endpoint, selection);
    const { matched, complete, counted } = missed;
    const dead = await deadNotice(scope, id, selection, times.now);
    if (counted.length === 0) {
      const chosen = (selection.eventTypes ?? []).join(', ');
      const impossible = (range: string): Html => notSubscribedText(missed, chosen, range);
      return { matched, complete, impossible, left: html`<p class="notice warn" id="not-subscribed">${subscribeFirst(id, `The school adds ${chosen}`)}</p>${dead}` };
    }
    const earlier = await countEarlier(scope, endpoint, since, counted);
    return {
      matched,
      complete,
      details: html`${typesSentence(missed)}${notCountedNotice(endpoint, missed, times)}${matched === 0 ? null : reasonList(missed)}`,
      left: html`${earlierMissedNotice(id, earlier, selection)}${sinceCreationNotice(endpoint, missed, selection)}${dead}`,
      list: missedList(missed, times),
    };
  },
  words: (matched, selected) => html`<strong>${plural(matched, 'event')}</strong> without a delivery to this endpoint, ${selected}, will get one and be sent, oldest first.`,
  nothing: (selected) => `Every event that this endpoint subscribes to, ${selected}, has a delivery to it, or was pruned.`,
};
