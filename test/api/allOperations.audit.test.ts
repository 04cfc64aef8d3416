import { publicDocument } from '../../api/http/openapi/publicDocument';
import { platformDocument } from '../../api/http/openapi/platformDocument';
import { openApiPath } from '../../api/http/openapi/describeOperation';
import type { Access } from '../../api/http/access';
import { platformOperations } from '../../api/operations/platform';
import { publicOperations } from '../../api/operations/public';
import { createServedDocument, type ServedDocument, type ServedOperation } from '../support/servedDocument';

const parse = (document: object): ServedDocument => createServedDocument(JSON.parse(JSON.stringify(document)));
const served = {
  key: parse(publicDocument(publicOperations, 'https://api.institution.test/v1')),
  platform: parse(platformDocument(platformOperations, '/platform/v1')),
};

/** Callers whose writes the audit log keeps. */
const isAuditedCaller = (access: Access): boolean => access.by === 'key' || access.roles.some((role) => ['platform', 'admin'].includes(role));

const prefixOf = (id: unknown): string | undefined => (typeof id === 'string' ? /^([a-z]+)_[0-9a-z]+$/.exec(id)?.[1] : undefined);

/** The field of the response that has an id of a kind that the path does not name, by the examples of the document. */
function newIdField(operation: ServedOperation): string | undefined {
  const data: unknown = operation.responses['200']?.content?.['application/json']?.example;
  const answered = Object.entries((data as { data: object }).data);
  const named = new Set((operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ example }) => prefixOf(example)));
  return answered.find(([field, id]) => ['id', 'key_id'].includes(field) && prefixOf(id) !== undefined && !named.has(prefixOf(id)))?.[0];
}

/** Operations whose response names the new id, or that of the workflow they start, otherwise; that of a bulk call does not say its batch. */
const otherFields: Readonly<Record<string, string>> = {
  uploadExamFile: 'ref', uploadSandboxAttemptFile: 'ref', replayDeadDeliveries: 'workflow_id', recoverDeliveries: 'workflow_id', createStudentsBulk: 'batchId',
};

const posts = [...publicOperations, ...platformOperations]
  .filter(({ method, access, audit }) => method === 'POST' && audit !== 'none' && isAuditedCaller(access))
  .map((record) => [record.operationId, record] as const);

it.each(posts)('the record names the field of the id that the audit log records as created: %s', (operationId, { path, access, audit }) => {
  const operation = served[access.by].document.paths[openApiPath(path)]?.post;
  if (operation === undefined || audit === 'none') throw new Error(`${operationId} is not in the document`);
  expect(audit.created ?? '').toBe(otherFields[operationId] ?? newIdField(operation) ?? '');
});
