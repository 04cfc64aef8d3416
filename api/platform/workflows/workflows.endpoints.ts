import { DomainError } from '../../../domain/errors';
import type { WorkflowView } from '../../../domain/workflowView';
import { platformEndpoint } from '../../http/endpoint';
import type { IdParams } from '../../http/fields';
import { workflowParams, workflowSchema } from './workflows.schemas';

function presentWorkflow({ workflowId, type, status, startedAt, closedAt, summary, details, outcome, progress, url }: WorkflowView): object {
  return {
    workflow_id: workflowId,
    type,
    status,
    started_at: startedAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
    summary,
    details,
    outcome,
    progress,
    url,
  };
}

export const workflows = [
  platformEndpoint<IdParams>({
    method: 'GET',
    path: '/workflows/:id',
    operationId: 'getWorkflow',
    tag: 'Workflows',
    roles: ['platform'],
    institution: 'none',
    summary: 'Look at a workflow: its state, how things stand, and where Temporal shows it.',
    description: 'While Temporal does not answer: internal_error.',
    request: { params: workflowParams },
    response: workflowSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, domain }) => {
      const workflow = await domain.viewWorkflow(params.id);
      if (workflow === undefined) throw new DomainError('not_found', 'No such workflow.');
      return presentWorkflow(workflow);
    },
  }),
];
