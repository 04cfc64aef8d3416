import { operationsWithTag, type ApiDocument, type ApiOperation, type OperationLocation } from './apiDocument';
import { codingExam, cleanupOperationIds, filledVariables, timestampScript, steps, replaceWithVariables, type Step } from './postmanSteps';

type Parameter = NonNullable<ApiOperation['parameters']>[number];

const toText = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));
const descriptionField = ({ description }: { description?: string }): object => (description === undefined ? {} : { description });

/** A part of a path: the variable that an earlier request has filled. */
const pathVariable = (parameter: Parameter, { changes = {} }: Step): object => ({
  key: parameter.name, value: toText(changes[parameter.name] ?? replaceWithVariables(parameter.example, parameter.name)), ...descriptionField(parameter),
});

/** A query parameter; one that may be left out is there to be switched on. */
function queryParameter(parameter: Parameter, { filters = {} }: Step): object {
  const value = filters[parameter.name];
  const disabled = value === undefined && !parameter.required;
  return { key: parameter.name, value: value ?? toText(parameter.example), ...descriptionField(parameter), ...(disabled ? { disabled: true } : {}) };
}

function buildUrl(path: string, parameters: readonly Parameter[], step: Step): object {
  const colonPath = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const variables = parameters.filter((parameter) => parameter.in === 'path');
  const enabledFilters = Object.entries(step.filters ?? {}).map(([name, value]) => `${name}=${value}`);
  return {
    raw: `{{base_url}}${[colonPath, ...enabledFilters].join('?')}`,
    host: ['{{base_url}}'],
    path: colonPath.slice(1).split('/'),
    ...(query.length === 0 ? {} : { query: query.map((parameter) => queryParameter(parameter, step)) }),
    ...(variables.length === 0 ? {} : { variable: variables.map((parameter) => pathVariable(parameter, step)) }),
  };
}

/** The example of a body, without what a run leaves out and with what it changes. */
function buildExample(example: unknown, { omit = [], changes = {} }: Step): object {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : [];
  return Object.fromEntries(fields.filter(([key]) => !omit.includes(key)).map(([key, value]) => [key, changes[key] ?? replaceWithVariables(value, key)]));
}

function buildBody({ requestBody }: ApiOperation, step: Step): object {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  if (json !== undefined) {
    return {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw: JSON.stringify(buildExample(json.example, step), null, 2), options: { raw: { language: 'json' } } },
    };
  }
  if (form === undefined) return {};
  const parts = Object.entries(form.schema.properties ?? {}).map(([key, part]) =>
    part.format === 'binary' ? { key, type: 'file', src: '{{upload_file}}', ...descriptionField(part) } : { key, type: 'text', value: toText(part.enum?.[0]), ...descriptionField(part) });
  return { body: { mode: 'formdata', formdata: parts } };
}

const scriptEvent = (listen: 'prerequest' | 'test', exec: readonly string[]): object => ({ listen, script: { type: 'text/javascript', exec } });

/** What is run before and after a request: whether it can be sent, whether its answer is right, and what later ones need of it. */
function buildScripts({ needs, fills = {}, expectedStatuses = [200] }: Step): object[] {
  const fillStatements = Object.entries(fills).map(([name, expression]) => `  pm.collectionVariables.set('${name}', ${expression});`);
  return [
    ...(needs === undefined ? [] : [scriptEvent('prerequest', [`if (!pm.collectionVariables.get('${needs}')) pm.execution.skipRequest();`])]),
    scriptEvent('test', [
      `pm.test('answers ${expectedStatuses.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${expectedStatuses.join(', ')}]));`,
      ...(fillStatements.length === 0 ? [] : ['if (pm.response.code === 200) {', '  const { data } = pm.response.json();', ...fillStatements, '}']),
    ]),
  ];
}

/** What a run knows of an operation; those of the sandbox take test keys alone. */
const stepOf = ({ operation }: OperationLocation): Step => ({ ...(operation['x-environment'] === 'test' ? { needs: 'sandbox_key' } : {}), ...steps[operation.operationId] });

function buildItem({ method, path, operation }: OperationLocation, step = stepOf({ method, path, operation }), name = operation.summary): object {
  return {
    name,
    event: buildScripts(step),
    request: { method, ...descriptionField(operation), url: buildUrl(path, operation.parameters ?? [], step), ...buildBody(operation, step) },
  };
}

/** The folder of a tag, without what ends things. */
function buildFolder(api: ApiDocument, { name, description }: ApiDocument['tags'][number], all: readonly OperationLocation[]): object {
  const operations = operationsWithTag(api, name).filter(({ operation }) => !cleanupOperationIds.includes(operation.operationId));
  const extra = name === codingExam.folder ? [buildItem(findOperation(all, codingExam.operationId), codingExam.step, codingExam.name)] : [];
  const coding = name === codingExam.folder ? { changes: { id: '{{coding_exam_id}}' } } : {};
  return { name, description, item: [...extra, ...operations.map((located) => buildItem(located, { ...stepOf(located), ...coding }))] };
}

function findOperation(all: readonly OperationLocation[], operationId: string): OperationLocation {
  const found = all.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`The document has no operation ${operationId}`);
  return found;
}

const collectionDescription = `Set the variable \`api_key\`, and \`base_url\` where it is another. Run the whole collection, or a folder after those before it: each request \
fills the variables that later ones need. A run makes people, groups and exams of its own and ends them with the last folder, which erases its student, teacher and guardian; it replaces the integration \
config, and leaves the students of the bulk call, the exam that it closed and a coupon batch that waits. What has nothing to be done with is skipped: submissions, \
devices and deliveries of a run, and the upload until \`upload_file\` names a file. The operations of the sandbox are skipped, too, until a run with a test key sets \`sandbox_key\` \
and, to erase its data, \`sandbox_to_reset\`.`;

/** A Postman collection (format 2.1) of every operation: a folder a tag, ids as variables that earlier requests fill, an example of each body. */
export function postmanCollection(api: ApiDocument): string {
  const all = api.tags.flatMap(({ name }) => operationsWithTag(api, name));
  const emptyVariables = [...filledVariables, 'in_a_month', 'yesterday', 'upload_file', 'sandbox_key', 'sandbox_to_reset'];
  const collection = {
    info: {
      name: api.info.title,
      version: api.info.version,
      description: `${collectionDescription}\n\n${String(api.info.description)}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    event: [scriptEvent('prerequest', timestampScript)],
    variable: [
      { key: 'base_url', value: api.servers[0]?.url ?? '', type: 'string' },
      { key: 'api_key', value: '', type: 'string' },
      ...emptyVariables.map((key) => ({ key, value: '', type: 'string' })),
    ],
    item: [
      ...api.tags.map((tag) => buildFolder(api, tag, all)),
      {
        name: 'Close, revoke, delete',
        description: 'Ends what the requests before have made.',
        item: cleanupOperationIds.map((operationId) => buildItem(findOperation(all, operationId))),
      },
    ],
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
