import { ContinueAsNew, defaultPayloadConverter, proxySinks, workflowInfo, type Headers, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import type { TraceSinks } from './contract';

/** Where the interceptors of OpenTelemetry for clients and activities have the context of a trace. */
const traceHeader = '_tracer-data';
const sampledPattern = /^(00-[0-9a-f]{32})-[0-9a-f]{16}-01$/;

function traceparentOf(headers: Headers): string | undefined {
  const payload = headers[traceHeader];
  const carrier: unknown = payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
  const found: unknown = typeof carrier === 'object' && carrier !== null ? Reflect.get(carrier, 'traceparent') : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The second half of a run's id, which is random, is the id of its span: a replay gives the same, and draws no random number for it. */
const spanIdOf = (runId: string): string => runId.replaceAll('-', '').slice(16);

/**
 * Takes the trace of a workflow's start to the activities and workflows that it starts, and reports the run when it has ended. It adds
 * headers, which replays do not compare, and waits for nothing: histories replay the same way with and without it. The trace ends where a workflow
 * continues as new, because some go on for weeks.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { runId, runStartTime, workflowType, workflowId } = workflowInfo();
  const spanId = spanIdOf(runId);
  let passedOn: Headers = {};
  const withTrace = <Input extends { headers: Headers }>(input: Input): Input => ({ ...input, headers: { ...input.headers, ...passedOn } });
  return {
    inbound: [{
      execute: (input, next) => {
        const parent = traceparentOf(input.headers);
        const [, trace] = sampledPattern.exec(parent ?? '') ?? [];
        if (parent === undefined || trace === undefined) return next(input);
        passedOn = { [traceHeader]: defaultPayloadConverter.toPayload({ traceparent: `${trace}-${spanId}-01` }) };
        const report = (ok: boolean): void =>
          proxySinks<TraceSinks>().traces.ended({
            name: `RunWorkflow:${workflowType}`, parent, spanId, startedAtMs: runStartTime.getTime(), endedAtMs: Date.now(), ok,
            attributes: { temporalWorkflowId: workflowId, run_id: runId, workflow_type: workflowType },
          });
        const result = next(input);
        result.then(() => report(true), (error: unknown) => report(error instanceof ContinueAsNew));
        return result;
      },
    }],
    outbound: [{
      scheduleActivity: (input, next) => next(withTrace(input)),
      scheduleLocalActivity: (input, next) => next(withTrace(input)),
      startChildWorkflowExecution: (input, next) => next(withTrace(input)),
    }],
  };
};
