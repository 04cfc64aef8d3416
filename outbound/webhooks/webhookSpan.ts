import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import { currentTraceparent, inSpan, isTraced } from '../../lib/tracing';
import type { WebhookRequest } from './exchange';

const hasTraceparent = ({ headers }: WebhookRequest): boolean => Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');

/**
 * Posts as a span of the trace in progress, which the receiver gets as `traceparent`, unless the endpoint has a header of its own with
 * this name. The span has no URL: receivers have secrets in theirs. Without a recorded trace it posts the request unchanged.
 */
export function inWebhookSpan(request: WebhookRequest, post: (request: WebhookRequest) => Promise<AttemptOutcome>): Promise<AttemptOutcome> {
  if (!isTraced()) return post(request);
  return inSpan('webhook POST', async (span) => {
    const traceparent = currentTraceparent();
    const isOwn = traceparent === undefined || hasTraceparent(request);
    const outcome = await post(isOwn ? request : { ...request, headers: { ...request.headers, traceparent } });
    if (outcome.responseCode !== null) span?.setAttribute('http.response.status_code', outcome.responseCode);
    if (!outcome.ok) span?.setAttribute('error.type', outcome.errorClass ?? 'http').setStatus({ code: SpanStatusCode.ERROR });
    return outcome;
  }, request.spanAttributes, SpanKind.CLIENT);
}
