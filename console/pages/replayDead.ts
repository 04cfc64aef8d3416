import type { SupportEndpoint } from '../../db/repositories/support/endpoints';
import { institutionScope } from '../../db/database';
import { endOfRange } from '../../domain/webhooks/endOfRange';
import { maxEventsCounted } from '../../domain/webhooks/recoverDeliveries';
import { DomainError } from '../../domain/errors';
import type { DeadFilter } from '../../domain/webhooks/replayDeadDeliveries';
import { html, type Html } from '../html';
import { actionButton, idCode } from '../components';
import { endpointText } from '../endpointName';
import { plural, timesOf } from '../format';
import { hiddenSelection, parseSelection, selectionQuery, selectionText } from '../sendAgain';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { endpointBreadcrumbs, requireEndpoint } from './endpoint';
import { missedEvents } from './missedEvents';
import { countDead, type Resending } from './resending';

/** Returns which dead deliveries of the same kind were created before From, and how to replay them with the others. */
function earlierNotice(id: string, earlier: number, selection: DeadFilter): Html | null {
  if (earlier === 0) return null;
  const everything = selectionQuery({ ...selection, since: new Date(0) });
  return html`<p class="notice warn" id="earlier"><strong>${earlier.toLocaleString('en')} more</strong> ${earlier === 1 ? 'was' : 'were'} created before:
    <a href="${href(`${pathTo.endpoint(id)}/replay-dead`, everything)}">replay ${earlier === 1 ? 'it' : 'them'}, too…</a></p>`;
}

const deadDeliveries: Resending = {
  name: 'replay-dead',
  title: 'Replay dead deliveries?',
  button: 'Replay them',
  count: async (scope, { id }, selection) => ({
    matched: await countDead(scope, id, selection),
    complete: true,
    left: earlierNotice(id, await countDead(scope, id, { ...selection, since: new Date(0), until: selection.since }), selection),
  }),
  words: (matched, selected) => html`<strong>${plural(matched, 'dead delivery')}</strong> created ${selected} will be sent again, oldest first, each with a new window of 12 hours.`,
  nothing: (selected) => `No dead delivery of this endpoint was created ${selected}, or their events were pruned.`,
};

/** Returns what is selected, or the error that says why nothing can be. */
function readSelection(query: URLSearchParams, { time_zone }: SupportEndpoint): DeadFilter | DomainError {
  try {
    return parseSelection(query, time_zone);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'validation_error') return error;
    throw error;
  }
}

/** Says what is wrong with a selection, and leads back to its form. */
const wrongSelectionPage = (endpoint: SupportEndpoint, title: string, { message, code }: DomainError): Page => ({
  title,
  status: 422,
  body: html`${endpointBreadcrumbs(endpoint)}<h1>${title}</h1><p class="sub">${endpointText(endpoint)} ${idCode(endpoint.id)}</p>
    <p class="notice bad" id="problem">${message} (${code})</p>
    <div class="actions sentence"><a class="button plain" href="${href(pathTo.endpoint(endpoint.id))}">Back to the endpoint</a></div>`,
});

const confirmationPage = ({ name, title, button, count, words, nothing }: Resending) => async (request: ConsoleRequest): Promise<Page> => {
  const { deps, query } = request;
  const endpoint = await requireEndpoint(request);
  const times = timesOf(request, endpoint);
  const selection = readSelection(query, endpoint);
  if (selection instanceof DomainError) return wrongSelectionPage(endpoint, title, selection);
  const scope = institutionScope(deps.domain.database, endpoint.institution_id);
  const { matched, complete, impossible, details, left, list } = await count(scope, endpoint, { ...selection, until: await endOfRange(scope, times.now, selection.until) }, times);
  const path = pathTo.endpoint(endpoint.id);
  const selected = selectionText(selection, endpoint.time_zone);
  const isPossible = impossible === undefined && (matched > 0 || !complete);
  const isActive = endpoint.status === 'active';
  const sentence = impossible?.(selectionText({ ...selection, eventTypes: undefined }, endpoint.time_zone)) ?? (isPossible ? words(matched, selected) : nothing(selected));
  return {
    title,
    times,
    body: html`${endpointBreadcrumbs(endpoint)}<h1>${title}</h1><p class="sub">${endpointText(endpoint)} ${idCode(endpoint.id)}</p>
      <p class="sentence" id="matched">${sentence}</p>
      ${complete ? null : html`<p class="notice calm">Counted among the oldest ${maxEventsCounted.toLocaleString('en')} events of this time; there may be more.</p>`}
      ${details}${left}
      ${isPossible && !isActive ? html`<p class="notice warn" id="inactive">${endpoint.status === 'disabled' ? 'Reactivate' : 'Resume'} the endpoint first: while it is ${endpoint.status} it receives no deliveries.</p>` : null}
      <div class="actions sentence">${isPossible && isActive ? actionButton(request, href(`${path}/${name}`), button, 'main', hiddenSelection(selection)) : null}<a class="button plain" href="${href(path)}">Back to the endpoint</a></div>
      ${list}`,
  };
};

/** Shows how many dead deliveries would be replayed, and asks for confirmation. */
export const replayDeadPage = confirmationPage(deadDeliveries);

/** Shows how many events have no delivery to an endpoint, and asks whether they get one. */
export const recoverPage = confirmationPage(missedEvents);
