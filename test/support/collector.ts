import { startReceiver, type Receiver } from './receiver';

/** A span as the collector got it, with its attributes by name. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  links: { traceId: string }[];
  isError: boolean;
}

/** A collector of traces on loopback. */
export interface Collector extends Receiver {
  /** The variables of a process that sends it every call, soon. */
  environment: NodeJS.ProcessEnv;
  /** The spans of a trace, or all. */
  spans(traceId?: string): CollectedSpan[];
}

type SentAttributes = { key: string; value: object }[];

const attributesOf = (attributes: SentAttributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

type SentSpan = Pick<CollectedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId' | 'links'> & { attributes: SentAttributes; status: { code: number } };

/** What an exporter sends. */
interface Sent {
  resourceSpans: { resource: { attributes: SentAttributes }; scopeSpans: { spans: SentSpan[] }[] }[];
}

function spansOf(body: string): CollectedSpan[] {
  const { resourceSpans }: Sent = JSON.parse(body);
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map(({ attributes, status, ...span }) => ({ ...span, service, attributes: attributesOf(attributes), isError: status.code === 2 })));
  });
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver();
  return Object.assign(receiver, {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${receiver.host}`, OTEL_TRACES_SAMPLER: 'always_on', OTEL_BSP_SCHEDULE_DELAY: '100' },
    spans: (traceId?: string) => receiver.received.flatMap(({ body }) => spansOf(body)).filter((span) => traceId === undefined || span.traceId === traceId),
  });
}

/** The names of a span and of those that it is a part of, up to the first of the trace. */
export function chainOf(spans: readonly CollectedSpan[], from: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === from.parentSpanId);
  return [from.name, ...(parent === undefined ? [] : chainOf(spans, parent))];
}
