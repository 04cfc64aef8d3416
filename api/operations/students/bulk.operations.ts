import type { BatchItem } from '../../../domain/provisioning/openBatch';
import { provisionInBulk } from '../../../domain/provisioning/provisionInBulk';
import { operation } from '../../http/operation';
import { checkValue } from '../../http/request/validate';
import { presentBulk } from './bulk.presenter';
import { bulkResponseSchema, bulkBodySchema } from './bulk.schemas';
import { newStudentSchema } from './students.schemas';

/** Converts an item for provisioning; an invalid item carries its error and fails without affecting the others. */
function toBatchItem(item: unknown): BatchItem {
  const checked = checkValue(newStudentSchema, item);
  return 'error' in checked ? { rejected: checked.error } : { student: checked.value };
}

export const createStudentsBulk = operation({
  method: 'POST',
  path: '/students/bulk',
  operationId: 'createStudentsBulk',
  tag: 'Students',
  access: { key: 'students:write' },
  summary: 'Provision up to 200 students in one call.',
  description:
    'Items that fail have an error in the response, the others are created. The call waits at most 30 seconds: an item not created by ' +
    'then carries `internal_error` and will not be created later; when none was, the call returns 500. An Idempotency-Key names the batch: ' +
    'a repeat waits for the same one and gets the same results, the 500 too. Send items that were not created in a new call, with a new key.',
  request: { body: bulkBodySchema },
  response: bulkResponseSchema,
  errors: [],
  transaction: 'staged',
  audit: { created: 'batchId' },
  handle: async ({ body, caller, domain, commit }) => presentBulk(await provisionInBulk(domain, caller, commit, body.students.map(toBatchItem))),
});
