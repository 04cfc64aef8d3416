import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { JsonSchema } from '../../api/http/openapi/jsonSchema';
import type { ApiDocument, ApiOperation } from './apiDocument';
import { eventClasses } from './python/events';

type Contents = Record<string, { schema: JsonSchema }>;

/** Content without its examples, which would be most of the file. */
const withoutExamples = (content: Contents = {}): Contents => Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));

/** Returns an operation without headers and error responses: the client turns those into one error. */
function clientOperation({ responses, requestBody, ...operation }: ApiOperation): object {
  const { content, description } = responses['200'] ?? {};
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: { required: requestBody.required, content: withoutExamples(requestBody.content) } }),
    responses: { '200': { description, content: withoutExamples(content) } },
  };
}

/** Returns the error codes of the document. */
export function errorCodes({ components }: ApiDocument): string[] {
  const names = Object.keys(components.responses ?? {});
  return [...new Set(names.flatMap((name) => name.split('.').slice(1)))].sort();
}

/** Returns the module with the names of the types of events, for a program that no compiler has read. */
export function eventTypesCode({ components }: ApiDocument): string {
  const names = eventClasses(components.schemas)?.map(({ type }) => `  '${type}',\n`) ?? [];
  return `// Made by \`npm run generate\` of the service's repository; changes here are lost.\n\n/** The types of events. */\nexport const eventTypes: readonly string[] = [\n${names.join('')}];\n`;
}

/** The document as the client sees it. */
function clientDocument(api: ApiDocument): object {
  const { schemas } = api.components;
  const paths = Object.entries(api.paths).map(([path, methods]) => [path, Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, clientOperation(operation)]))] as const);
  const errorCode = { type: 'string', enum: errorCodes(api), description: 'What went wrong, for programs.' };
  return { openapi: api.openapi, info: api.info, paths: Object.fromEntries(paths), components: { schemas: { ErrorCode: errorCode, ...schemas } } };
}

/** The TypeScript of the document, by openapi-typescript; raises where that fails. */
export async function clientTypes(root: string, api: ApiDocument): Promise<string> {
  const program = spawn(process.execPath, [join(root, 'clients/generate/types.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve, reject) => program.once('close', resolve).once('error', reject));
  program.stdin.end(JSON.stringify(clientDocument(api)));
  const [types, code] = await Promise.all([text(program.stdout), exited]);
  if (code !== 0) throw new Error(`openapi-typescript ended with ${code}`);
  return types;
}
