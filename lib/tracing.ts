import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes, type Link, type Span, type SpanContext } from '@opentelemetry/api';

/*
 * Spans of the trace in progress. Without tracing, and in work that belongs to no recorded trace, every function here runs its work
 * alone. The SDK that records them is loaded by config/tracing.ts.
 */

const tracer = trace.getTracer('institution-api');

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns what a `traceparent` (W3C Trace Context) names; undefined if it is none. */
function parseTraceparent(text: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceparentPattern.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const spanContext = { traceId, spanId, traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return trace.isSpanContextValid(spanContext) ? spanContext : undefined;
}

/** The span in progress, if its trace is recorded. */
function recordedContext(): SpanContext | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  return active !== undefined && (active.traceFlags & TraceFlags.SAMPLED) !== 0 ? active : undefined;
}

/** Returns the `traceparent` of the span in progress; undefined without a recorded trace. */
export function currentTraceparent(): string | undefined {
  const active = recordedContext();
  return active === undefined ? undefined : `00-${active.traceId}-${active.spanId}-01`;
}

/** Returns the ids of the span in progress as a log line has them; nothing without a recorded trace. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const active = recordedContext();
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

/** Runs work as a part of the trace that a `traceparent` names; without one, as a part of none. */
export function continueTrace<Result>(traceparent: string | null, work: () => Result): Result {
  const parent = parseTraceparent(traceparent);
  return context.with(parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent), work);
}

/** Whether the work in progress belongs to a recorded trace. */
export const isTraced = (): boolean => recordedContext() !== undefined;

/** Ends a span with the result of its work, which it returns. */
function endSpanWith<Result>(span: Span, result: Promise<Result>): Promise<Result> {
  return result.then(
    (value) => {
      span.end();
      return value;
    },
    (error: unknown) => {
      failSpan(span, error);
      throw error;
    },
  );
}

/** Requests to a store that take less, in ms, leave no span: each would cost more than the request that it is a part of may. */
const shownFromMs = 5;

/** Records a request to a store, begun now, as a span of the trace in progress if it takes long, or fails. Returns its result. */
export function traceRequest<Result>(name: () => string, attributes: Attributes, result: Promise<Result>): Promise<Result> {
  if (!isTraced()) return result;
  const parent = context.active();
  const startedAt = Date.now();
  const begin = (): Span => tracer.startSpan(name(), { kind: SpanKind.CLIENT, attributes, startTime: startedAt }, parent);
  return result.then(
    (value) => {
      if (Date.now() - startedAt >= shownFromMs) begin().end();
      return value;
    },
    (error: unknown) => {
      failSpan(begin(), error);
      throw error;
    },
  );
}

/** Ends a span with the type of an error: its message may have values. */
function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs work as a span of the trace in progress, which is the parent of those that the work begins. `work` gets it; undefined without a recorded trace. */
export function inSpan<Result>(name: string, work: (span: Span | undefined) => Promise<Result>, attributes: Attributes = {}, kind = SpanKind.INTERNAL): Promise<Result> {
  if (!isTraced()) return work(undefined);
  const span = tracer.startSpan(name, { kind, attributes });
  return endSpanWith(span, context.with(trace.setSpan(context.active(), span), () => work(span)));
}

/**
 * Runs work as the first span of a trace of its own, linked to the trace of a caller. A caller's trace is not continued: any caller
 * could have everything recorded. `work` gets the span; undefined if the trace is not recorded.
 */
export function inNewTrace<Result>(name: string, callersTraceparent: string | undefined, work: (span: Span | undefined) => Promise<Result>): Promise<Result> {
  const caller = parseTraceparent(callersTraceparent);
  const links: Link[] = caller === undefined ? [] : [{ context: caller }];
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, links, root: true }, ROOT_CONTEXT);
  if (!span.isRecording()) return work(undefined);
  return endSpanWith(span, context.with(trace.setSpan(ROOT_CONTEXT, span), () => work(span)));
}

/** Work that has ended elsewhere, such as in the sandbox of workflows. */
export interface EndedWork {
  name: string;
  parent: string;
  /** 16 hexadecimal digits, which those that it began name as their parent. */
  spanId: string;
  startedAtMs: number;
  endedAtMs: number;
  ok: boolean;
  attributes: Attributes;
}

/** Records a span of work that has ended, with the id that it had. */
export function recordEndedWork({ name, parent, spanId, startedAtMs, endedAtMs, ok, attributes }: EndedWork): void {
  continueTrace(parent, () => {
    const span = tracer.startSpan(name, { startTime: startedAtMs, attributes });
    if (!span.isRecording()) return;
    // The SDK gives each span a random id; the spans that this one is the parent of have been recorded with its own.
    Object.assign(span.spanContext(), { spanId });
    if (!ok) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAtMs);
  });
}
