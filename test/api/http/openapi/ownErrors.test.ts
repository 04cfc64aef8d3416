import { statusOf } from '../../../../api/http/errors';
import { takesIdempotencyKey } from '../../../../api/http/request/idempotencyKey';
import { openApiPath, type OperationObject } from '../../../../api/http/openapi/describeOperation';
import { publicDocument } from '../../../../api/http/openapi/publicDocument';
import type { ResponseObject } from '../../../../api/http/openapi/responses';
import { operationPage } from '../../../../api/http/openapi/explorer/pages';
import { locatedOperations } from '../../../../api/http/openapi/document';
import { errorCodes } from '../../../../clients/generate/clientTypes';
import { publicOperations } from '../../../../api/operations/public';

// An operation shows the errors that its own rules raise; what every call can be answered is described once. What a call is
// answered in any other test must be among its errors: test/support/servedDocument.ts.

const document = publicDocument(publicOperations, 'https://api.institution.test/v1');
const shared = document.components.responses as Record<string, ResponseObject>;

const operationOf = ({ method, path }: { method: string; path: string }): OperationObject => {
  const operation = document.paths[openApiPath(path)]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  return operation;
};

/** What the document says of a 409 of an operation. */
function conflictOf({ responses }: OperationObject): ResponseObject | undefined {
  const response = responses['409'];
  if (response === undefined || 'content' in response) return response;
  return shared[response.$ref.slice('#/components/responses/'.length)];
}

const named = publicOperations.map((record) => [record.operationId, record] as const);

it.each(named)('%s names a conflict of its own where it has one', (_operationId, record) => {
  const operation = operationOf(record);
  expect(operation['x-errors']).toEqual(record.errors);
  const description = conflictOf(operation)?.description ?? '';
  expect([
    ['the present state', /the present state does not allow this/i.test(description)],
    ['the key', description.includes('Idempotency-Key')],
    ['the reset', description.includes('is being reset')],
  ]).toEqual([
    ['the present state', record.errors.includes('conflict')],
    ['the key', takesIdempotencyKey(record)],
    ['the reset', record.access.by === 'key' && record.access.duringReset !== true],
  ]);
});

it.each([
  ['createGroup', ['invalid_faculty', 'no_owner']],
  ['createWebhookEndpoint', ['https_required', 'private_host', 'events_required', 'endpoint_limit']],
  ['revokeLicense', ['not_found']],
  ['suspendStudent', ['not_found']],
  ['reactivateStudent', ['not_found', 'conflict']],
  ['getStudent', ['not_found']],
] as const)('the page of %s shows no errors but %j', (operationId, codes) => {
  const located = locatedOperations(document).find(({ operation }) => operation.operationId === operationId);
  if (located === undefined) throw new Error(`${operationId} is not in the document`);
  const page = operationPage({ document, guides: [] }, located).text;
  expect([...page.matchAll(/<details class="error"><summary><span class="status">\d+<\/span> <code>(\w+)<\/code>/g)].map(([, code]) => code)).toEqual(codes);
});

it('a client’s error codes are codes of errors', () => {
  expect(errorCodes({ ...document, components: { schemas: {}, responses: shared } }).filter((code) => !(code in statusOf))).toEqual([]);
});

it('a conflict has the fields of the operations that answer them, and of no others', () => {
  const having = (field: string): string[] =>
    publicOperations.filter((record) => field in (conflictOf(operationOf(record))?.content['application/json']?.schema.properties ?? {})).map(({ operationId }) => operationId);
  expect(having('existing').sort()).toEqual(['createStudent', 'updateStudent']);
  expect(having('student_ids')).toEqual(['replaceInstitutionConfig']);
});

it('a message of a conflict is the operation’s own reason, where it has one', () => {
  const messageOf = (operationId: string): unknown => {
    const record = publicOperations.find((one) => one.operationId === operationId);
    return record && conflictOf(operationOf(record))?.content['application/json']?.examples;
  };
  expect(messageOf('extendLicense')).toMatchObject({ conflict: { value: { message: 'The present state does not allow this.' } } });
  expect(messageOf('listStudents')).toMatchObject({ conflict: { value: { message: 'The sandbox of the test key is being reset.' } } });
});
