import { examples } from '../../../domain/exampleSchool';
import { webhookHeaders } from '../../../domain/webhooks/signature';
import type { SchemaComponents } from './components';
import type { Parameter } from './describeOperation';
import type { MediaType } from './jsonSchema';
import { eventSchemas, type EventSchema } from './eventSchemas';

/** A call that the service makes. */
export interface WebhookObject {
  operationId: string;
  tags: string[];
  summary: string;
  security: object[];
  parameters: { $ref: string }[];
  requestBody: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, { description: string }>;
}

/** A header of the calls that the service makes. */
export type WebhookHeader = Parameter & { description: string };

/** What a document says of the calls that the service makes, and the parameters that they share. */
export interface DescribedWebhooks {
  webhooks: Record<string, { post: WebhookObject }>;
  parameters: Record<string, WebhookHeader>;
}

/** Describes the calls that the service makes; their schemas become components. */
export type WebhookDescriber = (schemas: SchemaComponents) => DescribedWebhooks;

/** What each header of a delivery says, and what its values match. */
const headerTexts: Record<string, { name: string; description: string; pattern?: string }> = {
  'user-agent': { name: 'User-Agent', description: 'The sender.' },
  'x-svc-event': { name: 'X-Svc-Event', description: 'The event type, as in the body.' },
  'x-svc-delivery-id': { name: 'X-Svc-Delivery-Id', description: 'The delivery: the same in each of its attempts and replays.', pattern: '^whd_' },
  'x-svc-signature': {
    name: 'X-Svc-Signature',
    description: '`t=<Unix seconds of the attempt>,v1=<hex>`: the HMAC-SHA256 of `t`, a dot and the raw body, keyed by the whole secret. During a rotation one `v1` for each secret.',
    pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$',
  },
  'webhook-id': { name: 'webhook-id', description: 'The id of the event; receivers dedupe on it (Standard Webhooks).', pattern: '^evt_' },
  'webhook-timestamp': { name: 'webhook-timestamp', description: 'Unix seconds of the attempt (Standard Webhooks).', pattern: '^[0-9]+$' },
  'webhook-signature': {
    name: 'webhook-signature',
    description: '`v1,<base64>`: the HMAC-SHA256 of id, timestamp and raw body joined by dots, keyed by the decoded part of the secret after `whsec_` (Standard Webhooks). An endpoint with `signature_scheme: ed25519` also gets `v1a,<base64>`, the Ed25519 signature of the same text by its key. Several are separated by spaces.',
    pattern: '^v1,[A-Za-z0-9+/=]+( v1a?,[A-Za-z0-9+/=]+)*$',
  },
};

/** The headers of a delivery of this event, signed with the secret that the examples have. */
function exampleHeaders({ type, sample }: EventSchema): Record<string, string> {
  const timestampSeconds = Math.ceil(Date.parse(sample.created_at) / 1_000);
  return webhookHeaders({ eventType: type, deliveryId: examples.delivery.id, eventId: sample.id, timestampSeconds, secrets: [examples.endpoint.secret], body: JSON.stringify(sample) });
}

/** The headers that a delivery has besides its content type, stored once; each must have its text. */
function headerParameters(schema: EventSchema): Record<string, WebhookHeader> {
  const sent = Object.entries(exampleHeaders(schema)).filter(([name]) => name !== 'content-type');
  return Object.fromEntries(
    sent.map(([header, example]) => {
      const text = headerTexts[header];
      if (text === undefined) throw new Error(`The header ${header} of deliveries has no description`);
      const { name, description, pattern } = text;
      const parameter: WebhookHeader = { name, in: 'header', required: true, description, schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) }, example };
      return [name, parameter];
    }),
  );
}

/** What a receiver may answer, and what follows. */
const responses = {
  '2XX': { description: 'Received, if answered within 10 seconds. The body is not read beyond its first 4 KiB, which the delivery keeps.' },
  '410': { description: 'The receiver is gone: the endpoint is disabled at once, and its open deliveries are dead.' },
  '429': { description: 'Later: `Retry-After`, in seconds or as a date, is respected. So it is with a 503.' },
  default: { description: 'Not received; so are a redirect, and no answer within 10 seconds. The delivery is sent again for 12 hours, then it is dead; with the header `Webhook-Abort: true` in the response it is dead at once.' },
};

/** Describes what the service sends to webhook endpoints: one webhook for each event type. */
export function describeWebhooks(schemas: SchemaComponents): DescribedWebhooks {
  const [first] = eventSchemas.filter(({ type }) => type === 'exam.graded');
  if (first === undefined) throw new Error('There is no event type to describe');
  const parameters = headerParameters(first);
  const references = Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const webhooks = eventSchemas.map(({ type, title, description, schema, sample }) => {
    const post = {
      operationId: `receive${title}`,
      tags: ['Webhooks and events'],
      summary: description,
      security: [],
      parameters: references,
      requestBody: { required: true, content: { 'application/json': { schema: schemas.response(schema), example: sample } } },
      responses,
    };
    return [type, { post }] as const;
  });
  return { parameters, webhooks: Object.fromEntries(webhooks) };
}
