import { operationsOf, type DescribedApi, type DescribedOperation, type Located } from './apiDocument';
import { codingExam, endings, filledVariables, momentsScript, steps, withVariables, type Step } from './postmanSteps';

type Parameter = NonNullable<DescribedOperation['parameters']>[number];

const textOf = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));
const described = ({ description }: { description?: string }): object => (description === undefined ? {} : { description });

/** A part of a path: the variable that an earlier request has filled. */
const variable = (parameter: Parameter, { changes = {} }: Step): object => ({
  key: parameter.name, value: textOf(changes[parameter.name] ?? withVariables(parameter.example, parameter.name)), ...described(parameter),
});

/** A query parameter; one that may be left out is there to be switched on. */
function asked(parameter: Parameter, { filters = {} }: Step): object {
  const value = filters[parameter.name];
  const off = value === undefined && !parameter.required;
  return { key: parameter.name, value: value ?? textOf(parameter.example), ...described(parameter), ...(off ? { disabled: true } : {}) };
}

function urlOf(path: string, parameters: readonly Parameter[], step: Step): object {
  const spelled = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const variables = parameters.filter((parameter) => parameter.in === 'path');
  const on = Object.entries(step.filters ?? {}).map(([name, value]) => `${name}=${value}`);
  return {
    raw: `{{base_url}}${[spelled, ...on].join('?')}`,
    host: ['{{base_url}}'],
    path: spelled.slice(1).split('/'),
    ...(query.length === 0 ? {} : { query: query.map((parameter) => asked(parameter, step)) }),
    ...(variables.length === 0 ? {} : { variable: variables.map((parameter) => variable(parameter, step)) }),
  };
}

/** The example of a body, without what a run leaves out and with what it changes. */
function exampleOf(example: unknown, { without = [], changes = {} }: Step): object {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : [];
  return Object.fromEntries(fields.filter(([key]) => !without.includes(key)).map(([key, value]) => [key, changes[key] ?? withVariables(value, key)]));
}

function bodyOf({ requestBody }: DescribedOperation, step: Step): object {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  if (json !== undefined) {
    return {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw: JSON.stringify(exampleOf(json.example, step), null, 2), options: { raw: { language: 'json' } } },
    };
  }
  if (form === undefined) return {};
  const parts = Object.entries(form.schema.properties ?? {}).map(([key, part]) =>
    part.format === 'binary' ? { key, type: 'file', src: '{{upload_file}}', ...described(part) } : { key, type: 'text', value: textOf(part.enum?.[0]), ...described(part) });
  return { body: { mode: 'formdata', formdata: parts } };
}

const script = (listen: 'prerequest' | 'test', exec: readonly string[]): object => ({ listen, script: { type: 'text/javascript', exec } });

/** What is run before and after a request: whether it can be sent, whether its answer is right, and what later ones need of it. */
function scriptsOf({ needs, fills = {}, answers = [200] }: Step): object[] {
  const filling = Object.entries(fills).map(([name, expression]) => `  pm.collectionVariables.set('${name}', ${expression});`);
  return [
    ...(needs === undefined ? [] : [script('prerequest', [`if (!pm.collectionVariables.get('${needs}')) pm.execution.skipRequest();`])]),
    script('test', [
      `pm.test('answers ${answers.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${answers.join(', ')}]));`,
      ...(filling.length === 0 ? [] : ['if (pm.response.code === 200) {', '  const { data } = pm.response.json();', ...filling, '}']),
    ]),
  ];
}

function itemOf({ method, path, operation }: Located, step = steps[operation.operationId] ?? {}, name = operation.summary): object {
  return {
    name,
    event: scriptsOf(step),
    request: { method, ...described(operation), url: urlOf(path, operation.parameters ?? [], step), ...bodyOf(operation, step) },
  };
}

/** The folder of a tag, without what ends things. */
function folderOf(api: DescribedApi, { name, description }: DescribedApi['tags'][number], all: readonly Located[]): object {
  const operations = operationsOf(api, name).filter(({ operation }) => !endings.includes(operation.operationId));
  const extra = name === codingExam.folder ? [itemOf(operationCalled(all, codingExam.operationId), codingExam.step, codingExam.name)] : [];
  const coding = name === codingExam.folder ? { changes: { id: '{{coding_exam_id}}' } } : {};
  return { name, description, item: [...extra, ...operations.map((located) => itemOf(located, { ...steps[located.operation.operationId], ...coding }))] };
}

function operationCalled(all: readonly Located[], operationId: string): Located {
  const found = all.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`The document has no operation ${operationId}`);
  return found;
}

const howTo = `Set the variable \`api_key\`, and \`base_url\` where it is another. Run the whole collection, or a folder after those before it: each request \
fills the variables that later ones need. A run makes people, groups and exams of its own and ends them with the last folder; it replaces the integration \
config, and leaves the students, the exam that it closed and a coupon batch that waits. What has nothing to be done with is skipped: submissions, \
devices and deliveries of a run, and the upload until \`upload_file\` names a file.`;

/** A Postman collection (format 2.1) of every operation: a folder a tag, ids as variables that earlier requests fill, an example of each body. */
export function postmanCollection(api: DescribedApi): string {
  const all = api.tags.flatMap(({ name }) => operationsOf(api, name));
  const empty = [...filledVariables, 'in_a_month', 'yesterday', 'upload_file'];
  const collection = {
    info: {
      name: api.info.title,
      version: api.info.version,
      description: `${howTo}\n\n${String(api.info.description)}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    event: [script('prerequest', momentsScript)],
    variable: [
      { key: 'base_url', value: api.servers[0]?.url ?? '', type: 'string' },
      { key: 'api_key', value: '', type: 'string' },
      ...empty.map((key) => ({ key, value: '', type: 'string' })),
    ],
    item: [
      ...api.tags.map((tag) => folderOf(api, tag, all)),
      {
        name: 'Close, revoke, delete',
        description: 'Ends what the requests before have made.',
        item: endings.map((operationId) => itemOf(operationCalled(all, operationId))),
      },
    ],
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
