import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { timestampOrNull } from '../../http/request/fields';

const age = (what: string) => Joi.number().integer().required().description(`Age of ${what}, in seconds; 0 if nothing waits.`).example(0);

export const workersSchema = Joi.object({
  polling: Joi.boolean().allow(null).required().description('Whether a worker has asked Temporal for work within the last two minutes; null while Temporal does not respond.').example(true),
  last_poll_at: timestampOrNull('When a worker last did; null if none is known.').example('2026-11-20T09:30:00.000Z'),
  oldest_event_seconds: age('the oldest event that is not distributed'),
  oldest_pending_delivery_seconds: age('the event of the oldest pending delivery that could be sent now'),
  oldest_rate_limited_seconds: age('the same of endpoints with a rate limit'),
  oldest_unsent_workflow_seconds: age('the oldest start of a workflow that Temporal has not got'),
  open_circuits: Joi.number().integer().required().description('Endpoints whose circuit is open.').example(0),
}).meta({ title: 'Workers' });
export type WorkersResponse = SchemaType<typeof workersSchema>;
