import { Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type WorkflowClientInterceptor } from '@temporalio/client';
import type { Settings } from '../../config/settings';
import type { PayloadKeys } from '../../config/temporalSettings';
import { continueTrace } from '../../lib/tracing';
import type { SendResult, WorkflowEngine } from '../../domain/outbox/workflowEngine';
import { currentWorkflowId, possibleWorkflowIds, type WorkflowArguments } from '../../domain/outbox/workflows';
import { startDescriptions, startPriority } from '../../workflows/contract';
import { readCredentials, type CredentialOptions } from './credentials';
import { grpcCodeOf, grpcCodes } from './grpcCode';
import { dataConverter } from './payloadCodec';
import { openRenewedConnection } from './renewedConnection';

export interface TemporalOptions extends CredentialOptions {
  address: string;
  namespace: string;
  taskQueue: string;
  /** The keys of payloads; none by default. */
  codecKeys?: PayloadKeys;
  /** Of each call; none by default. */
  interceptors?: WorkflowClientInterceptor[];
}

/** Returns how a process reaches Temporal by its settings. */
export const temporalOptions = (settings: Settings): TemporalOptions => ({
  address: settings.temporalAddress,
  tls: settings.temporalTls,
  apiKeyFile: settings.temporalApiKeyFile,
  namespace: settings.temporalNamespace,
  taskQueue: settings.taskQueue,
  codecKeys: settings.temporalCodecKeys,
});

/** A client whose connection is opened on first use, so that a process can start without Temporal. */
export interface TemporalConnection {
  readonly client: Client;
  readonly taskQueue: string;
  /** Runs calls with a timeout of `ms`. */
  withDeadline<Result>(ms: number, calls: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Opens nothing yet; the first call connects. Fails if a file of the credentials cannot be read. */
export function openTemporal({ address, namespace, taskQueue, codecKeys = [], interceptors = [], ...credentials }: TemporalOptions): TemporalConnection {
  const connection = openRenewedConnection({ address, namespace, onRefused: credentials.onFilesUnusable ?? (() => undefined) }, readCredentials(credentials));
  const client = new Client({ connection, namespace, dataConverter: dataConverter(codecKeys), interceptors: { workflow: interceptors } });
  return {
    client,
    taskQueue,
    withDeadline: (ms, calls) => connection.withDeadline(Date.now() + ms, calls),
    close: () => connection.close(),
  };
}

/** Timeout of one call to Temporal, in ms; a start against a dead server would block for 10 s and more. */
export const sendDeadlineMs = 500;

/** Returns the workflow engine of the outbox: a start with a used id and a signal to an ended workflow count as done. */
export function createWorkflowEngine(temporal: TemporalConnection, withinMs = sendDeadlineMs): WorkflowEngine {
  const { client, taskQueue } = temporal;
  return {
    send: (entry) =>
      continueTrace(entry.trace_context, () => temporal
        .withDeadline(withinMs, async (): Promise<SendResult> => {
          if (entry.kind === 'signal') {
            // The epoch in which the workflow was started is not recorded, so the workflow of every epoch is signalled.
            const ids = possibleWorkflowIds(entry.workflow_id, entry.epochs);
            return firstFailure(await Promise.all(ids.map((id) => client.workflow.getHandle(id).signal(entry.name, entry.argument).then(done, toSendResult))));
          }
          const workflowId = currentWorkflowId(entry.workflow_id, entry.epochs);
          await client.workflow.start(entry.name, { ...startOptions(entry.name, entry.argument), workflowId, taskQueue });
          return 'done';
        })
        .catch(toSendResult)),
  };
}

const done = (): SendResult => 'done';
const firstFailure = (results: readonly SendResult[]): SendResult => results.find((result) => result !== 'done') ?? 'done';

function isOutboxWorkflow(name: string): name is keyof WorkflowArguments {
  return Object.hasOwn(startDescriptions, name);
}

function startOptions(name: string, argument: object) {
  if (!isOutboxWorkflow(name)) throw new Error(`The outbox cannot start a workflow ${name}`);
  // The row was written by `tx.startWorkflow`, which takes exactly this workflow's argument.
  return typedStartOptions(name, argument as WorkflowArguments[typeof name]);
}

function typedStartOptions<Name extends keyof WorkflowArguments>(name: Name, argument: WorkflowArguments[Name]) {
  const { summary, searchAttributes } = startDescriptions[name];
  return {
    args: [argument],
    staticSummary: summary(argument),
    typedSearchAttributes: searchAttributes(argument),
    priority: startPriority(name, argument.institutionId),
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
  };
}

const transientGrpcCodes = new Set<number>([grpcCodes.cancelled, grpcCodes.deadlineExceeded, grpcCodes.resourceExhausted, grpcCodes.unavailable]);

function toSendResult(error: unknown): SendResult {
  if (error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError) return 'done';
  const message = error instanceof Error ? error.message : String(error);
  const code = grpcCodeOf(error);
  const unreachable = code !== undefined && transientGrpcCodes.has(code);
  return { failed: unreachable ? 'unreachable' : 'refused', message };
}
