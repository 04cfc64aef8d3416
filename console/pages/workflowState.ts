import { findInvitationOfRemovedLink } from '../../domain/guardians/invitationOfRemovedLink';
import { findNewestWorkflow } from '../../domain/newestWorkflow';
import type { WorkflowView } from '../../domain/workflowView';
import { html, type Html } from '../html';
import { workflowLink } from '../components';
import { inlineTimeElement, realTimesOf, type Times } from '../format';
import type { ConsoleRequest } from '../consoleRequest';

/** A time in the details of a workflow, without the “at” before it. */
const timeInDetails = /\b(?:at )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** Returns the details of a workflow without their Markdown, and with the times by the clocks of the institution. */
const detailsText = (details: string, times: Times): Html =>
  html`${details.replaceAll(/\*\*|`/g, '').split(timeInDetails).map((part, index) => (index % 2 === 0 ? part : inlineTimeElement(new Date(part), times)))}`;

/** Returns the newest workflow with an id; undefined if there is none, or while Temporal does not respond, when a page is shown all the same. */
export const findShownWorkflow = ({ deps, epochs }: ConsoleRequest, id: string): Promise<WorkflowView | undefined> =>
  findNewestWorkflow(deps.domain, id, epochs).catch(() => undefined);

/** Returns the workflow of an invitation with its state in its own words; where Temporal or a worker does not respond, or it has ended, with where its Web UI has them. */
export async function invitationWorkflow(request: ConsoleRequest, workflowId: string, times: Times): Promise<Html> {
  const found = await findShownWorkflow(request, workflowId);
  const details = found?.details ?? null;
  return html`${workflowLink(request, workflowId)}<span class="second">${details === null ? 'its tab User Metadata says when its email was sent, or what it waits for' : detailsText(details, times)}</span>`;
}

/** Says how and when the newest invitation of a removed guardian's link ended, whose school and its time are unknown; null where Temporal does not respond or has none. */
export async function removedLinkInvitation(request: ConsoleRequest, linkId: string): Promise<Html | null> {
  const { deps, epochs } = request;
  const found = await findInvitationOfRemovedLink(deps.domain, linkId, epochs).catch(() => undefined);
  if (found === undefined) return null;
  const { workflowId, outcome, closedAt } = found;
  const end = closedAt === null ? 'has not ended' : html`ended ${inlineTimeElement(closedAt, realTimesOf(request, { time_zone: 'UTC' }))}${outcome === null ? null : html` with the outcome <code>${outcome}</code>`}`;
  return html`<p class="sentence" id="invitation">The workflow of its newest invitation ${end}: ${workflowLink(request, workflowId)}</p>`;
}
