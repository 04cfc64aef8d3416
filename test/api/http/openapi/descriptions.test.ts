import type { JsonSchema } from '../../../../api/http/openapi/jsonSchema';
import { locatedOperations } from '../../../../api/http/openapi/document';
import { publicDocument } from '../../../../api/http/openapi/publicDocument';
import { publicOperations } from '../../../../api/operations/public';

const document = publicDocument(publicOperations, 'https://api.institution.test/v1');

const resolve = (schema: JsonSchema): JsonSchema => {
  const { $ref, ...own } = schema;
  return $ref === undefined ? schema : { ...document.components.schemas[$ref.slice('#/components/schemas/'.length)], ...own };
};

/** Returns the paths of the fields below a schema that have no description, in all of its alternatives. */
function undescribed(given: JsonSchema, place: string): string[] {
  const schema = resolve(given);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items === undefined || schema.items === false ? [] : [schema.items])];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(resolve(field).description === undefined ? [`${place}.${name}`] : []),
    ...undescribed(field, `${place}.${name}`),
  ]);
  return [...fields, ...alternatives.flatMap((one) => undescribed(one, place))];
}

it('describes every field of a body, a query or a path', () => {
  const missing = locatedOperations(document).flatMap(({ operation }) => [
    ...(operation.parameters ?? []).filter(({ description, schema }) => description === undefined && schema.description === undefined).map(({ name }) => `${operation.operationId} ${name}`),
    ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => undescribed(schema, operation.operationId)),
  ]);
  expect([...new Set(missing)]).toEqual([]);
});
