// Writes the TypeScript of the OpenAPI document on standard input. A program of its own, because the generator is an
// ES module in part, which the tests' module loader cannot take in.
import { json } from 'node:stream/consumers';
import openapiTypescript, { astToString, tsUnion, NULL } from 'openapi-typescript';
import ts from 'typescript';

const blob = ts.factory.createTypeReferenceNode('Blob');

const ast = await openapiTypescript(await json(process.stdin), {
  // What has a default may be left out.
  defaultNonNullable: false,
  // An object whose fields the document leaves open may have any.
  emptyObjectsUnknown: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: ({ format, type }) => (format !== 'binary' ? undefined : Array.isArray(type) ? tsUnion([blob, NULL]) : blob),
});
process.stdout.write(astToString(ast));
