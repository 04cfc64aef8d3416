import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypes, eventTypesCode } from './clientTypes';
import type { ApiDocument } from './apiDocument';
import { platformOperations } from '../../api/operations/platform';
import { publicOperations } from '../../api/operations/public';
import { llmsText } from './llms';
import { postmanCollection } from './postman';
import { pythonModules } from './python/pythonClient';
import { pythonMethodsPage } from './pythonMethods';
import { rolesPage } from './roles';
import { scopesPage } from './scopes';

/** The address that generated files name: the local stack's. */
export const documentedBaseUrl = 'http://localhost:4000/v1';

/** A file that is made, not written; its path begins at the project's root. */
export interface GeneratedFile {
  path: string;
  text: string;
}

const versionLine = /^( {2}"version": ")([^"]*)"/m;

/** The version of the service. */
function serviceVersion(read: (path: string) => string): string {
  const [, , version] = versionLine.exec(read('package.json')) ?? [];
  if (version === undefined) throw new Error('package.json has no version');
  return version;
}

/** Every file that follows from the document that the public API serves, or from the operations of the platform API, as it must be now. */
export async function generatedFiles(root: string, api: ApiDocument): Promise<GeneratedFile[]> {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const version = serviceVersion(read);
  const python = Object.entries(pythonModules(api, version)).map(([name, text]) => ({ path: `clients/python/src/institution/${name}`, text }));
  return [
    { path: 'clients/typescript/src/openapi.ts', text: await clientTypes(root, api) },
    { path: 'clients/typescript/src/eventTypes.ts', text: eventTypesCode(api) },
    { path: 'clients/typescript/package.json', text: read('clients/typescript/package.json').replace(versionLine, `$1${version}"`) },
    ...python,
    { path: 'docs/python-methods.md', text: pythonMethodsPage(api) },
    { path: 'docs/postman.json', text: postmanCollection(api) },
    { path: 'docs/roles.md', text: rolesPage(platformOperations) },
    { path: 'docs/scopes.md', text: scopesPage(publicOperations) },
    { path: 'llms.txt', text: llmsText(api, read('README.md')) },
  ];
}
