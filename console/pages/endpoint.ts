import { figuresOfAtMost, findSupportedEndpoint, readAttemptFigures, readBacklog, type AttemptFigures, type Backlog, type SupportedEndpoint } from '../../db/repositories/support/endpoints';
import { DomainError } from '../../domain/errors';
import { backlogWorkflowId } from '../../domain/outbox/workflows';
import { html, type Html, type Part } from '../html';
import { actionButton, badge, facts, id, section, workflowLink } from '../components';
import { count, duration, inputValue, moment, momentInline, plural } from '../format';
import { href, idOf, pathTo, type Page, type Visit } from '../consoleRequest';
import { healthOf } from './health';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The endpoint that a page is about; `not_found` for an unknown id. */
export async function requireEndpoint(visit: Visit): Promise<SupportedEndpoint> {
  const wanted = idOf(visit);
  const found = await findSupportedEndpoint(visit.desk.domain.database.sql, wanted);
  if (found === undefined) throw new DomainError('not_found', `There is no endpoint ${wanted}.`);
  return found;
}

/** The way from the list of institutions to an endpoint's institution. */
export const crumbsOf = ({ institution_id, institution_name }: SupportedEndpoint): Html =>
  html`<nav aria-label="Where you are"><ol class="crumbs"><li><a href="/console/institutions">Institutions</a></li>
    <li><a href="${href(pathTo.institution(institution_id))}">${institution_name}</a></li></ol></nav>`;

function actions(visit: Visit, { id: endpointId, status, deleted_at }: SupportedEndpoint): Part {
  if (deleted_at !== null) return null;
  const path = pathTo.endpoint(endpointId);
  return status === 'active'
    ? actionButton(visit, href(`${path}/pause`), 'Pause', 'plain')
    : actionButton(visit, href(`${path}/resume`), status === 'paused' ? 'Resume' : 'Bring back', 'main');
}

function statusSentence({ status, disabled_reason, paused_at, deleted_at, institution_status, consecutive_failures, failing_since, last_success_at }: SupportedEndpoint, now: Date): Part {
  if (deleted_at !== null) return html`Deleted ${momentInline(deleted_at, now)}: it receives nothing any more, and its open deliveries were cancelled.`;
  if (status === 'disabled') return html`Disabled${disabled_reason === null ? null : html` (${disabled_reason})`}: it receives nothing until it is brought back.`;
  if (status === 'paused') return html`Paused${paused_at === null ? null : html` ${momentInline(paused_at, now)}`}: deliveries are held until it is resumed, and their deadlines move with the pause.`;
  if (institution_status !== 'approved') return `Its institution is ${institution_status}: deliveries are held.`;
  if (consecutive_failures > 0) return html`The last ${plural(consecutive_failures, 'attempt')} failed${failing_since === null ? null : html`; it has been failing since ${momentInline(failing_since, now)}`}.`;
  return last_success_at === null ? 'It is active, and nothing has been sent to it yet.' : 'It is active and takes what it is sent.';
}

function circuitNotice({ circuit, circuit_opened_at, probe_at, status }: SupportedEndpoint, now: Date): Html | null {
  if (circuit === 'closed' || circuit_opened_at === null || probe_at === null || status !== 'active') return null;
  return html`<p class="notice warn">The circuit has been open since ${momentInline(circuit_opened_at, now)}: after 20 failures in a row its deliveries are held, and the
    oldest is tried again and again. The next probe is due ${momentInline(probe_at, now)}; the first success lets everything go.</p>`;
}

function figures(title: string, { attempts, successes, p50, p95 }: AttemptFigures): Html {
  const rate = attempts === 0 ? '–' : `${Math.floor((successes / attempts) * 1_000) / 10} %`;
  return section(`last-${title.replaceAll(' ', '-')}`, `Last ${title}`, html`${facts(
    ['Success', html`<span class="big">${rate}</span>`],
    ['Attempts', html`<span class="big">${attempts === figuresOfAtMost ? `${attempts.toLocaleString('en')}+` : attempts.toLocaleString('en')}</span>`],
    ['Latency p50', html`<span class="big">${duration(p50)}</span>`],
    ['Latency p95', html`<span class="big">${duration(p95)}</span>`],
  )}${attempts === figuresOfAtMost ? html`<p class="pad faint">Of the newest ${attempts.toLocaleString('en')} attempts.</p>` : null}`);
}

function backlogSection(visit: Visit, endpoint: SupportedEndpoint, backlog: Backlog): Html {
  const list = (status: 'pending' | 'retrying' | 'held' | 'dead'): Html =>
    html`<a class="big" href="${href(pathTo.deliveries(endpoint.institution_id), { status, endpoint: endpoint.id })}">${count(backlog[status])}</a>`;
  const workflow = endpoint.backlog_run === 0 ? undefined : backlogWorkflowId(endpoint.id, endpoint.backlog_run);
  const all = html`<nav class="links" aria-label="Deliveries of this endpoint"><a href="${href(pathTo.deliveries(endpoint.institution_id), { endpoint: endpoint.id })}">all deliveries</a></nav>`;
  return section('backlog', 'Backlog', facts(
    ['Pending', list('pending')],
    ['Retrying', list('retrying')],
    ['Held', list('held')],
    ['Dead', list('dead')],
    backlog.held_since === null ? undefined : ['Held since', moment(backlog.held_since, visit.now)],
    workflow === undefined ? undefined : [endpoint.backlog_open ? 'Waiting is done by' : 'Last backlog workflow', workflowLink(visit, workflow)],
  ), all);
}

function replayForm({ now }: Visit, { id: endpointId, status, deleted_at }: SupportedEndpoint): Html | null {
  if (deleted_at !== null) return null;
  const body = status !== 'active'
    ? html`<p class="nothing">Resume the endpoint first: while it is ${status} nothing is sent to it.</p>`
    : html`<div class="pad"><form class="inline" id="replay-form" action="${href(`${pathTo.endpoint(endpointId)}/replay-dead`)}">
        <div class="field"><label for="since">Dead deliveries created after (UTC)</label>
          <input id="since" name="since" type="datetime-local" step="1" required value="${inputValue(new Date(Math.floor((now.getTime() - dayMs) / hourMs) * hourMs))}"></div>
        <button class="button plain">Count them…</button></form></div>`;
  return section('replay', 'Replay what was given up', body);
}

/** One endpoint: whether it takes deliveries, what waits for it, and how its attempts went. */
export async function endpointPage(visit: Visit): Promise<Page> {
  const { desk, now } = visit;
  const { sql } = desk.domain.database;
  const endpoint = await requireEndpoint(visit);
  const [backlog, lastHour, lastDay] = await Promise.all([
    readBacklog(sql, endpoint.id, endpoint.institution_id),
    readAttemptFigures(sql, endpoint.id, new Date(now.getTime() - hourMs)),
    readAttemptFigures(sql, endpoint.id, new Date(now.getTime() - dayMs)),
  ]);
  const health = healthOf(endpoint);
  return {
    title: `Endpoint ${endpoint.url}`,
    announce: `The endpoint is ${health.words}.`,
    body: html`${crumbsOf(endpoint)}
      <div class="head"><div class="title"><div class="title-line"><h1>${endpoint.url}</h1><span id="status">${badge(health.badge, health.words)}</span></div>
        <p class="sub">${id(endpoint.id)} ${endpoint.description}</p></div><div class="actions" id="actions">${actions(visit, endpoint)}</div></div>
      <p class="sentence" id="sentence">${statusSentence(endpoint, now)}</p>
      ${circuitNotice(endpoint, now)}
      ${backlogSection(visit, endpoint, backlog)}
      <div class="columns">${figures('hour', lastHour)}${figures('24 hours', lastDay)}</div>
      ${section('details', 'Details', facts(
        ['Subscriptions', html`<span class="tags">${endpoint.events.map((type) => html`<code class="id">${type}</code>`)}</span>`],
        ['Circuit', endpoint.circuit === 'closed' ? 'closed' : badge('open')],
        ['Last success', moment(endpoint.last_success_at, now, 'never')],
        ['Last failure', moment(endpoint.last_failure_at, now, 'never')],
        ['Failures in a row', endpoint.consecutive_failures.toLocaleString('en')],
        ['Created', moment(endpoint.created_at, now)],
      ))}
      ${replayForm(visit, endpoint)}`,
  };
}
