import type { JsonSchema } from '../../../api/http/openapi/jsonSchema';
import type { ApiDocument } from '../apiDocument';
import { errorCodes } from '../clientTypes';
import { eventClasses, eventPattern, eventPatternName, eventUnion } from './events';
import { pythonText } from '../../../api/http/openapi/pythonNames';
import { methodsByNamespace, resourceClass, resourceCode, type Manner, type Method } from './resources';
import { createPythonTypes } from './schemas';

/** A module of the package, by its name. */
export type PythonModules = Record<string, string>;

const header = (about: string): string => `"""${about}\n\nMade by \`npm run generate\` of the service's repository; changes here are lost.\n"""\n\nfrom __future__ import annotations\n\n`;

/** Returns those of the names that the code uses outside of its docstrings. */
function usedIn(code: string, names: readonly string[]): string[] {
  const words = new Set(code.replace(/"""[\s\S]*?"""/g, '').match(/\w+/g));
  return names.filter((name) => words.has(name)).sort();
}

const imports = (module: string, names: readonly string[]): string => (names.length === 0 ? '' : `from ${module} import (\n${names.map((name) => `    ${name},\n`).join('')})\n`);

/** Returns the import of what the code uses of a module. */
const importUsed = (code: string, module: string, names: readonly string[]): string => imports(module, usedIn(code, names));

function resourcesModule(namespaces: Map<string, Method[]>, manner: Manner, models: readonly string[], params: readonly string[]): string {
  const classes = [...namespaces].map(([name, methods]) => resourceCode(name, methods, manner)).join('\n\n');
  const prefix = manner === 'async' ? 'Async' : 'Sync';
  const members = [...namespaces.keys()].map((name) => `        self.${name} = ${resourceClass(name, manner)}(calls)\n`).join('');
  const code = `${classes}\n\nclass ${prefix}Namespaces:\n    """Every operation of the API, by namespace."""\n\n    def __init__(self, calls: ${prefix}Calls) -> None:\n${members}`;
  return [
    header(`The operations of the API${manner === 'async' ? ', for await' : ''}.`),
    importUsed(code, 'collections.abc', ['AsyncIterator', 'Iterator', 'Mapping', 'Sequence']),
    importUsed(code, 'datetime', ['datetime']),
    importUsed(code, 'typing', ['Any', 'Literal']),
    '\n',
    importUsed(code, 'institution._omit', ['OMIT', 'Omit']),
    importUsed(code, 'institution._page', ['Page']),
    importUsed(code, 'institution._resource', [`${prefix}Calls`, `${prefix}Resource`, 'FileInput']),
    importUsed(code, 'institution.models', models),
    importUsed(code, 'institution.params', params),
    `\n\n${code}`,
  ].join('');
}

function modelsModule(classes: readonly { name: string; code: string }[], events: string, codes: readonly string[]): string {
  const errorCode = `ErrorCode = Literal[\n${codes.map((code) => `    ${pythonText(code)},\n`).join('')}]\n"""What went wrong, for programs."""\n`;
  const code = [errorCode, ...classes.map((one) => one.code), events].filter((part) => part !== '').join('\n\n');
  return [
    header('What the API answers. Fields and values that a later release adds are accepted.'),
    importUsed(code, 'datetime', ['datetime']),
    importUsed(code, 'typing', ['Annotated', 'Any', 'Literal']),
    '\n',
    importUsed(code, 'pydantic', ['Discriminator', 'Field', 'Tag']),
    '\n',
    importUsed(code, 'institution._model', ['ListModel', 'Model']),
    importUsed(code, 'institution._page', ['Page']),
    `\n${code}`,
  ].join('');
}

function paramsModule(classes: readonly { name: string; code: string }[]): string {
  const code = classes.map((one) => one.code).join('\n\n');
  return [
    header('Dictionaries that calls take.'),
    importUsed(code, 'collections.abc', ['Mapping', 'Sequence']),
    importUsed(code, 'datetime', ['datetime']),
    importUsed(code, 'typing', ['Any', 'Literal']),
    '\n',
    importUsed(code, 'typing_extensions', ['NotRequired', 'TypedDict']),
    `\n\n${code}`,
  ].join('');
}

/** Returns what the feed takes as its `type`; empty if the document does not list it. */
function feedPatterns({ paths }: ApiDocument): string[] {
  const type = paths['/events']?.get?.parameters?.find(({ name }) => name === 'type');
  return type?.schema.enum?.filter((value) => typeof value === 'string') ?? [];
}

/** Returns the modules of the Python client that follow from the document. */
export function pythonModules(api: ApiDocument, version: string): PythonModules {
  const { schemas } = api.components as { schemas: Record<string, JsonSchema> };
  const events = eventClasses(schemas);
  const patterns = feedPatterns(api);
  const [answers, requests] = [createPythonTypes('answer'), createPythonTypes('request', events === undefined ? [] : [{ name: eventPatternName, values: patterns }])];
  for (const [name, schema] of Object.entries(schemas)) if (name !== 'Event' || events === undefined) answers.define(name, schema);
  const namespaces = methodsByNamespace(api, answers, requests);
  const modelNames = [...answers.classes().map(({ name }) => name), ...(events === undefined ? [] : ['Event', eventPatternName])];
  const paramNames = requests.classes().map(({ name }) => name);
  return {
    'models.py': modelsModule(answers.classes(), events === undefined ? '' : `${eventPattern(patterns)}\n\n${eventUnion(events)}`, errorCodes(api)),
    'params.py': paramsModule(requests.classes()),
    '_sync_resources.py': resourcesModule(namespaces, 'sync', modelNames, paramNames),
    '_async_resources.py': resourcesModule(namespaces, 'async', modelNames, paramNames),
    '_version.py': `"""The release of the service that this client was made from."""\n\n__version__ = "${version}"\n`,
  };
}
