import { readEpochs } from '../../../db/repositories/outbox/outbox';
import { findNewestNumber, isNumberedPrefix, type NumberedPrefix } from '../../../db/repositories/support/workflowNumbers';
import type { Domain } from '../../../domain/context';
import { notFound } from '../../../domain/errors';
import { findInvitationOfRemovedLink } from '../../../domain/guardians/invitationOfRemovedLink';
import { findNewestWorkflow } from '../../../domain/newestWorkflow';
import { backlogWorkflowId, developerInvitationWorkflowId, erasureWorkflowId, exportWorkflowId, guardianInvitationWorkflowId } from '../../../domain/outbox/workflows';
import type { WorkflowView } from '../../../domain/workflowView';
import { operation } from '../../http/operation';
import { isoOrNull } from '../../http/request/fields';
import { workflowParams, workflowSchema, type WorkflowResponse } from './workflows.schemas';

function presentWorkflow({ workflowId, type, status, startedAt, closedAt, summary, details, outcome, progress, result, url }: WorkflowView): WorkflowResponse {
  return {
    workflow_id: workflowId,
    type,
    status,
    started_at: startedAt.toISOString(),
    closed_at: isoOrNull(closedAt),
    summary,
    details,
    outcome,
    progress,
    result: result === null ? null : { ...result },
    url,
  };
}

const bareId = /^([a-z]+)_[^:]*$/;

const numberedId: Record<NumberedPrefix, (id: string, number: number) => string> = {
  we: backlogWorkflowId,
  gdn: guardianInvitationWorkflowId,
  dev: developerInvitationWorkflowId,
  erase: (id, number) => erasureWorkflowId(id.slice('erase_'.length), number),
  export: (id, number) => exportWorkflowId(id.slice('export_'.length), number),
};

/** Returns the workflow with an id: where the workflows of a thing are numbered, the newest, of a removed guardian's link too; undefined if it has had none. */
async function findWorkflow(domain: Domain, id: string): Promise<WorkflowView | undefined> {
  const { sql } = domain.database;
  const epochs = await readEpochs(sql);
  const [, prefix = ''] = bareId.exec(id) ?? [];
  if (!isNumberedPrefix(prefix)) return findNewestWorkflow(domain, id, epochs);
  const number = await findNewestNumber(sql, prefix, id);
  if (number !== undefined) return findNewestWorkflow(domain, numberedId[prefix](id, number), epochs);
  return prefix === 'gdn' ? findInvitationOfRemovedLink(domain, id, epochs) : undefined;
}

export const workflows = [
  operation({
    method: 'GET',
    path: '/workflows/:id',
    operationId: 'getWorkflow',
    tag: 'Workflows',
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Show a workflow: its state, details, progress, and its page in Temporal.',
    description: 'The id of a webhook endpoint names the newest backlog workflow of the endpoint, deleted or not; that of a guardian link, removed or not, or a developer the workflow of the newest invitation; `erase_` or `export_` with the id of a person their newest erasure or export. Where a backup was restored, an id without an epoch (`@…`) names the newest workflow of all epochs. While Temporal does not answer: internal_error.',
    request: { params: workflowParams },
    response: workflowSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, domain }) => {
      const workflow = await findWorkflow(domain, params.id);
      if (workflow === undefined) throw notFound('workflow', { within: 'service' });
      return presentWorkflow(workflow);
    },
  }),
];
