import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { workflowStatuses } from '../../../domain/workflowView';
import { idParams, timestamp } from '../../http/request/fields';

export const workflowParams = idParams('Id of the workflow: that of the delivery, endpoint (`we_…`, or `we_…:2` for its second backlog), guardian link, developer, batch or replay that it is for.', 'whd_01jd4k6f2mep2s5xg5yhc8m1zr');

export const workflowSchema = Joi.object({
  workflow_id: Joi.string().required().example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
  type: Joi.string().required().example('webhookDelivery'),
  status: Joi.string().valid(...workflowStatuses).required().description('Of its latest run.').example('running'),
  started_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  closed_at: timestamp().allow(null).required().example(null),
  summary: Joi.string().allow(null).required().description('What it is for.').example('Retry exam.graded to we_01jd4k6f2mep2s5xg5yhc8m1zr'),
  details: Joi.string()
    .allow(null)
    .required()
    .description('Current state in one sentence; null when it has ended, or while no worker responds.')
    .example('**exam.graded** to `we_01jd4k6f2mep2s5xg5yhc8m1zr` waits for attempt 2'),
  outcome: Joi.string().allow(null).required().description('The result, once it has ended; null before, and if it reports none.').example(null),
  progress: Joi.object({
    done: Joi.number().integer().required().example(500),
    total: Joi.number().integer().required().description('May grow while it runs.').example(1_200),
  })
    .allow(null)
    .required()
    .description('Progress, or the final progress of a closed workflow. Null for workflows that do not count, for those that ended without a result, and while no worker responds.')
    .example({ done: 500, total: 1_200 }),
  result: Joi.object()
    .pattern(Joi.string(), Joi.number())
    .allow(null)
    .required()
    .description('What it counted, by name, once it has completed: `created` and `failed` of a bulk call. Null before, and for workflows that do not count.')
    .example({ created: 196, failed: 4 }),
  url: Joi.string().required().description("Its page in Temporal's Web UI.").example('http://127.0.0.1:8233/namespaces/default/workflows/whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).meta({ title: 'Workflow' });
export type WorkflowResponse = SchemaType<typeof workflowSchema>;
