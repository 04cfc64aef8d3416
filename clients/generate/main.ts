import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicDocument } from '../../api/http/openapi/publicDocument';
import { publicOperations } from '../../api/operations/public';
import { parseApiDocument } from './apiDocument';
import { documentedBaseUrl, generatedFiles } from './generated';

/** Writes what follows from the OpenAPI document; `npm run generate` runs it at the project's root. */
async function main(root: string): Promise<void> {
  const api = parseApiDocument(publicDocument(publicOperations, documentedBaseUrl));
  for (const { path, text } of await generatedFiles(root, api)) writeFileSync(join(root, path), text);
}

main(process.cwd()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
