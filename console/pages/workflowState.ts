import { findNewestWorkflow } from '../../domain/newestWorkflow';
import { html, type Html } from '../html';
import { workflowLink } from '../components';
import { inlineTimeElement, type Times } from '../format';
import type { ConsoleRequest } from '../consoleRequest';

/** A time in the details of a workflow, without the “at” before it. */
const timeInDetails = /\b(?:at )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** Returns the details of a workflow without their Markdown, and with the times by the clocks of the institution. */
const detailsText = (details: string, times: Times): Html =>
  html`${details.replaceAll(/\*\*|`/g, '').split(timeInDetails).map((part, index) => (index % 2 === 0 ? part : inlineTimeElement(new Date(part), times)))}`;

/** Returns the workflow of an invitation with its state in its own words; where Temporal or a worker does not respond, or it has ended, with where its Web UI has them. */
export async function invitationWorkflow(request: ConsoleRequest, workflowId: string, times: Times): Promise<Html> {
  const { deps, epochs } = request;
  // The page is shown also while Temporal does not respond.
  const found = await findNewestWorkflow(deps.domain, workflowId, epochs).catch(() => undefined);
  const details = found?.details ?? null;
  return html`${workflowLink(request, workflowId)}<span class="second">${details === null ? 'its tab User Metadata says when its email was sent, or what it waits for' : detailsText(details, times)}</span>`;
}
