import type { WorkflowView } from '../../domain/workflowView';
import { html, type Html } from '../html';
import { inlineTimeElement, realTimesOf } from '../format';
import type { SupportEndpoint } from '../../db/repositories/support/endpoints';
import type { ConsoleRequest } from '../consoleRequest';

/** Says why a replay or a recovery ended before all were released, and how many are left; null where it has not ended so. */
export function stoppedNotice(request: ConsoleRequest, endpoint: SupportEndpoint, work: WorkflowView | undefined, { noun, left }: { noun: string; left: number }): Html | null {
  if (work?.closedAt == null || (work.status === 'completed' && work.outcome !== 'endpoint_inactive')) return null;
  const why = work.status === 'completed' ? 'the endpoint was paused, disabled or deleted meanwhile' : `its workflow is ${work.status.replace('_', ' ')}`;
  const rest = left > 0 ? html` ${left.toLocaleString('en')} ${left === 1 ? 'was' : 'were'} not released.` : null;
  return html`<p class="notice warn" id="stopped">The ${noun} ended ${inlineTimeElement(work.closedAt, realTimesOf(request, endpoint))} before its end: ${why}.${rest} Begin another for the same time once the endpoint is active: what was sent is not sent again.</p>`;
}
