import { SpanKind, type Attributes } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { envDetectorSync, Resource } from '@opentelemetry/resources';
import {
  AlwaysOffSampler, AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, SamplingDecision, TraceIdRatioBasedSampler,
  type ReadableSpan, type Sampler, type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { settlesWithin } from '../lib/timeout';
import type { Logger } from './logger';
import type { Tracing, TracingSettings } from './tracingSettings';

/** How long the end of a process waits for its last spans to be sent, in ms. */
const flushWithinMs = 1_000;

/** The attributes that leave the process: ids, names of the program's own, numbers. */
const exportedAttributes = new Set([
  'http.request.method', 'http.route', 'http.response.status_code', 'listener', 'request_id', 'institution_id', 'key_id', 'db.system',
  'endpoint_id', 'delivery_id', 'event_type', 'attempt', 'error.type', 'temporalWorkflowId', 'temporalActivityId', 'run_id', 'workflow_type',
]);

const isExported = ([name]: [string, unknown]): boolean => exportedAttributes.has(name);

/** The type of an exception that an interceptor has recorded: its message and stack may have values. */
function typeOfException({ events }: ReadableSpan): Attributes {
  const type = events.find(({ name }) => name === 'exception')?.attributes?.['exception.type'];
  return type === undefined ? {} : { 'error.type': type };
}

/** Returns a span without what may have values of people: other attributes, messages of errors, exceptions. */
function withoutValues(span: ReadableSpan): ReadableSpan {
  const attributes = { ...typeOfException(span), ...Object.fromEntries(Object.entries(span.attributes).filter(isExported)) };
  return Object.create(span, { attributes: { value: attributes }, events: { value: [] }, status: { value: { code: span.status.code } } }) as ReadableSpan;
}

/** Sends spans without values, and logs when the collector stops to take them, and when it takes them again. */
function filteredExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans.map(withoutValues), (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed !== isFailing) logger.warn({ failed, spans: spans.length, err: result.error }, failed ? 'the collector takes no spans; they are dropped' : 'the collector takes spans again');
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

const samplerOf: Record<'always_on' | 'always_off' | 'traceidratio', (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};

/** A trace begins with an HTTP call; what belongs to none, such as a sweep or a poll, is not recorded. */
function callSampler({ sampler, ratio }: TracingSettings): Sampler {
  const name = sampler.replace('parentbased_', '');
  const calls = (name === 'always_off' || name === 'traceidratio' ? samplerOf[name] : samplerOf.always_on)(ratio);
  const root: Sampler = {
    shouldSample: (context, traceId, spanName, kind, attributes, links) =>
      kind === SpanKind.SERVER ? calls.shouldSample(context, traceId, spanName, kind, attributes, links) : { decision: SamplingDecision.NOT_RECORD },
    toString: () => `calls by ${calls.toString()}`,
  };
  return new ParentBasedSampler({ root });
}

/**
 * Registers the SDK for this process. Spans are sent in batches from a queue of limited size: while the collector hangs or is down,
 * further ones are dropped, and calls do not notice.
 */
export function startSdk(serviceName: string, settings: TracingSettings, logger: Logger): Tracing {
  const provider = new BasicTracerProvider({
    resource: Resource.default().merge(envDetectorSync.detect()).merge(new Resource({ 'service.name': serviceName })),
    sampler: callSampler(settings),
    spanProcessors: [new BatchSpanProcessor(filteredExporter(new OTLPTraceExporter(), logger))],
  });
  provider.register({ contextManager: new AsyncLocalStorageContextManager(), propagator: new W3CTraceContextPropagator() });
  return {
    stop: async () => {
      await settlesWithin(flushWithinMs, provider.shutdown().catch(() => undefined));
    },
  };
}
