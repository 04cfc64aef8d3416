import { readWorkerState } from '../../../domain/support/workerState';
import { operation } from '../../http/operation';
import { presentWorkers } from './workers.presenter';
import { workersSchema } from './workers.schemas';

export const workers = [
  operation({
    method: 'GET',
    path: '/workers',
    operationId: 'getWorkers',
    tag: 'Workflows',
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Show whether workers ask for work, and how old the oldest work is that waits for them.',
    description: 'Events and pending deliveries that grow old, of many endpoints at once, are the trouble of the service; one endpoint that fails alone is that of its receiver.',
    response: workersSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ domain, caller }) => presentWorkers(await readWorkerState(domain, caller.now)),
  }),
];
