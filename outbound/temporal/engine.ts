import { Client, Connection, isGrpcServiceError, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Told, WorkflowEngine } from '../../domain/outbox/workflowEngine';
import { newestWorkflowId, workflowIdsSince, type WorkflowArguments } from '../../domain/outbox/workflows';
import { owedStarts } from '../../workflows/contract';

export interface TemporalOptions {
  address: string;
  namespace: string;
  taskQueue: string;
}

/** A client over a connection that is made on first use, so that a process starts without Temporal. */
export interface TemporalConnection {
  readonly client: Client;
  readonly taskQueue: string;
  /** Runs calls that must answer within `ms`. */
  within<Result>(ms: number, calls: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A server that was away for long is found again within this time, in ms; gRPC itself would wait for up to two minutes. */
const reconnectWithinMs = 2_000;

/** Opens nothing yet; the first call connects. */
export function openTemporal({ address, namespace, taskQueue }: TemporalOptions): TemporalConnection {
  const connection = Connection.lazy({ address, channelArgs: { 'grpc.max_reconnect_backoff_ms': reconnectWithinMs } });
  const client = new Client({ connection, namespace });
  return {
    client,
    taskQueue,
    within: (ms, calls) => connection.withDeadline(Date.now() + ms, calls),
    close: () => connection.close(),
  };
}

/** How long Temporal may take to take note of one thing, in ms; a start against a dead server would block for 10 s and more. */
export const tellDeadlineMs = 500;

/** Temporal as the outbox tells it: a start under a used id and a signal to an ended workflow are done already. */
export function temporalEngine(temporal: TemporalConnection, withinMs = tellDeadlineMs): WorkflowEngine {
  const { client, taskQueue } = temporal;
  return {
    tell: (owed) =>
      temporal
        .within(withinMs, async (): Promise<Told> => {
          if (owed.kind === 'signal') {
            // In which epoch the workflow was started is not written down: each that may be meant is told.
            const ids = workflowIdsSince(owed.workflow_id, owed.epochs);
            return worst(await Promise.all(ids.map((id) => client.workflow.getHandle(id).signal(owed.name, owed.argument).then(done, whatWentWrong))));
          }
          const workflowId = newestWorkflowId(owed.workflow_id, owed.epochs);
          await client.workflow.start(owed.name, { ...startOptions(owed.name, owed.argument), workflowId, taskQueue });
          return 'done';
        })
        .catch(whatWentWrong),
  };
}

const done = (): Told => 'done';
const worst = (told: readonly Told[]): Told => told.find((one) => one !== 'done') ?? 'done';

function isOwedStart(name: string): name is keyof WorkflowArguments {
  return Object.hasOwn(owedStarts, name);
}

function startOptions(name: string, argument: object) {
  if (!isOwedStart(name)) throw new Error(`No workflow ${name} can be owed`);
  // The row was written by `tx.startWorkflow`, which takes exactly this workflow's argument.
  return optionsOf(name, argument as WorkflowArguments[typeof name]);
}

function optionsOf<Name extends keyof WorkflowArguments>(name: Name, told: WorkflowArguments[Name]) {
  const { summary, searchAttributes } = owedStarts[name];
  return {
    args: [told],
    staticSummary: summary(told),
    typedSearchAttributes: searchAttributes(told),
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
  };
}

/** gRPC: cancelled, deadline exceeded, resource exhausted, unavailable. */
const passingFaults = new Set<number>([1, 4, 8, 14]);

function whatWentWrong(error: unknown): Told {
  if (error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError) return 'done';
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
  const unreachable = isGrpcServiceError(cause) && passingFaults.has(cause.code);
  return { failed: unreachable ? 'unreachable' : 'refused', message };
}
