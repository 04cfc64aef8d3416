import { eventTypeNames, type EventType } from '../../../../domain/events/eventTypes';
import type { JsonSchema } from '../../../../api/http/openapi/jsonSchema';
import { startTestApi, type TestApi } from '../../../support/api';
import { readDocument } from '../../../support/documents';
import { startReceiver, type Receiver } from '../../../support/receiver';
import { escapePointer } from '../../../support/servedDocument';

interface Webhook {
  operationId: string;
  tags: string[];
  parameters: { $ref: string }[];
  requestBody: { content: { 'application/json': { schema: JsonSchema; example: Record<string, unknown> } } };
  responses: Record<string, object>;
}

interface HeaderParameter {
  name: string;
  in: string;
  required: boolean;
  schema: JsonSchema;
  example: string;
}

let api: TestApi;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host], databasePoolSize: 2 });
});

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

const parse = <Value>(value: unknown): Value => JSON.parse(JSON.stringify(value));
const webhooks = () => parse<Record<string, { post: Webhook }>>(api.served.document.webhooks);
const webhookOf = (type: EventType): Webhook => {
  const webhook = webhooks()[type];
  if (webhook === undefined) throw new Error(`The document has no webhook ${type}`);
  return webhook.post;
};
const headerParameters = () => Object.values(parse<Record<string, HeaderParameter>>(api.served.document.components.parameters));
const bodyPointer = (type: string): string => `/webhooks/${escapePointer(type)}/post/requestBody/content/application~1json/schema`;
const eventReference = '#/components/schemas/Event';

it('the document lists a webhook for every event type, and no other', () => {
  expect(Object.keys(webhooks()).sort()).toEqual([...eventTypeNames].sort());
});

it.each(eventTypeNames)('the example of the webhook is an event of its type alone: %s', (type) => {
  const { content } = webhookOf(type).requestBody;
  const { schema, example } = content['application/json'];
  expect([example.type, schema.$ref && api.served.resolve(schema.$ref).properties?.type]).toEqual([type, { type: 'string', const: type }]);
  const accepting = eventTypeNames.filter((other) => api.served.validatorAt(bodyPointer(other))(example));
  expect(accepting).toEqual([type]);
});

it('an event is one of all types, which the discriminator maps to the schemas of the webhooks', () => {
  const { oneOf = [], discriminator } = api.served.resolve(eventReference);
  expect(discriminator?.propertyName).toBe('type');
  expect(discriminator?.mapping).toEqual(Object.fromEntries(eventTypeNames.map((type) => [type, webhookOf(type).requestBody.content['application/json'].schema.$ref])));
  expect(oneOf.map(({ $ref }) => $ref).sort()).toEqual(Object.values(discriminator?.mapping ?? {}).sort());
});

const dataOf = (name: string): Record<string, JsonSchema> => api.served.resolve(`#/components/schemas/${name}EventData`).properties ?? {};

it.each([
  ['StudentCreated', 'status', 'Student', 'status'],
  ['StudentUpdated', 'status', 'Student', 'status'],
  ['FacultyCreated', 'status', 'Faculty', 'status'],
  ['LicenseGenerated', 'license_type', 'License', 'license_type'],
  ['LicenseExpired', 'license_type', 'License', 'license_type'],
  ['LicenseDeviceRegistered', 'app', 'Seat', 'app'],
  ['ExamPublished', 'app', 'Exam', 'app'],
  ['GuardianInvited', 'guardian_type', 'GuardianLink', 'guardian_type'],
  ['GuardianVerified', 'guardian_type', 'GuardianLink', 'guardian_type'],
  ['EndpointFailing', 'error_class', 'Delivery', 'error_class'],
])('the values of a field of an event are those of the resource: %s, %s', (event, field, resource, resourceField) => {
  const values = dataOf(event)[field]?.enum;
  expect(values?.length).toBeGreaterThan(1);
  expect(values).toEqual(api.served.resolve(`#/components/schemas/${resource}`).properties?.[resourceField]?.enum);
});

it('every text in the data of an event is an id, a time, one of named values, or a text of somebody else', () => {
  const open = ['login_email', 'platform', 'ref'];
  for (const type of eventTypeNames) {
    const { $ref = '' } = webhookOf(type).requestBody.content['application/json'].schema;
    for (const [name, field] of Object.entries(dataOf($ref.replace(/^.*\/|Event$/g, '')))) {
      const items = field.items === undefined || field.items === false ? field : field.items;
      const isText = [items.type].flat().includes('string');
      expect([type, name, !isText || name.endsWith('_id') || open.includes(name) || items.format === 'date-time' || items.enum !== undefined]).toEqual([type, name, true]);
    }
  }
});

it('docs/webhooks.md names every value of `changed` of student.updated', () => {
  const [row = ''] = /^\| `student\.updated` .*$/m.exec(readDocument('docs/webhooks.md')) ?? [];
  const items = dataOf('StudentUpdated').changed?.items;
  const names = items === undefined || items === false ? [] : (items.enum ?? []);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) expect(row).toContain(`\`${String(name)}\``);
});

it('the feed and the payloads of deliveries are such events', () => {
  const { properties } = api.served.document.paths['/events']?.get?.responses['200']?.content?.['application/json']?.schema ?? {};
  const { items } = properties?.data?.properties?.items ?? {};
  expect(items).toEqual({ $ref: eventReference });
  for (const name of ['Delivery', 'DeliveryWithLog', 'ReplayedDelivery']) {
    expect(api.served.resolve(`#/components/schemas/${name}`).properties?.payload?.anyOf).toEqual([{ $ref: eventReference }, { type: 'null' }]);
  }
});

it('an event of another type, or with the data of another type, is none', () => {
  const validate = api.served.validatorAt('/components/schemas/Event');
  const { example } = webhookOf('exam.graded').requestBody.content['application/json'];
  const data = webhookOf('student.created').requestBody.content['application/json'].example.data;
  expect([validate(example), validate({ ...example, type: 'exam.lost' }), validate({ ...example, data })]).toEqual([true, false, false]);
});

it('every webhook has the same headers, and says what the answers of a receiver lead to', () => {
  const references = headerParameters().map(({ name }) => ({ $ref: `#/components/parameters/${name}` }));
  for (const { post } of Object.values(webhooks())) {
    expect(post.parameters).toEqual(references);
    expect(Object.keys(post.responses)).toEqual(['410', '429', '2XX', 'default']);
  }
});

it('a delivery has the headers and the body that the document describes', async () => {
  const { apiKey: key } = await api.institution();
  const { data } = await api.call('POST', '/webhooks/endpoints', { key, body: { url: receiver.url, events: ['*'] } });
  await api.call('POST', `/webhooks/endpoints/${data.id}/test`, { key });
  const [sent] = receiver.received;
  const body: unknown = JSON.parse(sent?.body ?? '');
  expect(api.served.validatorAt(bodyPointer('ping'))(body)).toBe(true);
  const parameters = headerParameters();
  for (const { name, schema, example } of parameters) {
    for (const value of [sent?.headers[name.toLowerCase()], example]) expect([name, value]).toEqual([name, expect.stringMatching(new RegExp(schema.pattern ?? '.'))]);
  }
  const own = Object.keys(sent?.headers ?? {}).filter((name) => /^(x-|webhook-|user-agent)/.test(name));
  expect(own.sort()).toEqual(parameters.map(({ name }) => name.toLowerCase()).sort());
});
