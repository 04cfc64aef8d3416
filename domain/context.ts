import type { Database, InstitutionScope } from '../db/database';
import type { StoredCallRow } from '../db/repositories/idempotency/idempotencyKeys';
import type { WorkKind } from '../db/wakeups';
import type { EventData, EventType } from './events/eventTypes';
import type { FileStore } from './files/fileStore';
import type { SignalArguments, WorkflowArguments } from './outbox/workflows';
import type { ProvisioningRunner } from './provisioning/batch';
import type { SecretBox } from './secrets/secretBox';
import type { AttemptOutcome } from './webhooks/classifyAttempt';
import type { WorkflowView } from './workflowView';

/** Who acts: an API key, a portal user, a person of the platform's staff, a session of an app or guardian, the platform, or the service itself. */
export interface Actor {
  kind: 'key' | 'platform' | 'faculty' | 'developer' | 'staff' | 'session' | 'system';
  id: string;
}

/** A requested write as the audit log records it: names only, never a value of the body. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path as documented, with the prefix of its API. */
  readonly path: string;
  /** The path's parameters. */
  readonly target: Readonly<Record<string, string>>;
  /** The names of the body's fields as sent. */
  readonly changed: readonly string[];
  /** The field of the transaction's result that has the id of the created resource; absent if it creates none. */
  readonly created?: string;
  /** The field of the transaction's result that has the id of the person whom the call concerns; absent if another part of the target names them. */
  readonly person?: string;
}

/** What makes a call one that may be repeated: its key, and the fingerprint of its request. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of method, path, query and body. */
  readonly requestSha256: Buffer;
}

/** What a call has come to; nobody else changes it while the call runs. */
export interface CallProgress {
  /** Whether a COMMIT of the call was sent that was not refused: from then on it is not known that it has done nothing. */
  commitSent: boolean;
}

/** On whose behalf a command runs. `now` is the only clock that rules read: the institution's own. */
export interface Caller {
  readonly institutionId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: Date;
  /** How far `now` is ahead of the real time, in ms: 0 unless the institution is a sandbox. */
  readonly clockOffsetMs?: number;
  /** The address of the client; absent if it is not known. */
  readonly clientAddress?: string;
  /** What the commit of each transaction of this caller writes to the audit log; nothing if absent. */
  readonly operation?: Operation;
  /** Of a call that was sent with an `Idempotency-Key`. */
  readonly idempotency?: IdempotencyKey;
  /** Of a call that waits for a response; transactions write to it. */
  readonly progress?: CallProgress;
}

/** The number of deliveries that ended without an attempt, by their final status. */
export type EndedDeliveries = Partial<Record<'dead' | 'cancelled', number>>;

/** The dependencies that all commands of a process share. */
export interface Domain {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** `host:port` entries that webhooks may be sent to although they are private, also over http; empty in production. */
  readonly webhookTrustedHosts: readonly string[];
  /** Whether the host of a webhook URL is, or currently resolves to, an address that is not public; in production also a name that does not resolve. */
  readonly isPrivateWebhookHost: (url: URL) => Promise<boolean>;
  /** Posts once to a customer's receiver and returns the outcome; receiver failures are outcomes, never errors. */
  readonly postWebhook: (request: WebhookPost) => Promise<AttemptOutcome>;
  /** Called after a commit with the work that it left for the workers, if any, and the deliveries that it ended; must return immediately. */
  readonly onCommitted: (left: readonly WorkKind[], ended?: EndedDeliveries) => void;
  /** Runs the batches of bulk calls. */
  readonly provisioning: ProvisioningRunner;
  /** The store of uploaded files. */
  readonly files: FileStore;
  /** Returns the state of a workflow; undefined if the id is unknown. `internal_error` while Temporal does not respond. */
  readonly viewWorkflow: (workflowId: string) => Promise<WorkflowView | undefined>;
  /** Returns the argument that a workflow was started with; undefined if the id is unknown, and while Temporal does not respond. */
  readonly readWorkflowInput: (workflowId: string) => Promise<unknown>;
  /** Returns when a worker last asked Temporal for work; null if none did within minutes, undefined while Temporal does not respond. */
  readonly findLastPoll: () => Promise<Date | null | undefined>;
}

/** A request to a customer's receiver, its body signed. */
export interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** One transaction of one institution, through which commands write. Nothing is visible to others before the commit. */
export interface Transaction extends InstitutionScope {
  /** The same transaction on the rows of another institution: of the sandbox, or of the one that a sandbox belongs to. */
  scopeOf(institutionId: string): InstitutionScope;
  readonly now: Date;
  readonly secrets: SecretBox;
  /** Appends an event; its data is checked against the event type's schema, its time is stamped at commit. */
  emit<Type extends EventType>(type: Type, data: EventData[Type]): void;
  /** Appends the start of a workflow to the outbox; a second start with the same id is ignored. */
  startWorkflow<Name extends keyof WorkflowArguments>(name: Name, workflowId: string, argument: WorkflowArguments[Name]): void;
  /** Appends a signal to the outbox; a signal to a closed workflow is dropped. */
  signalWorkflow<Name extends keyof SignalArguments>(name: Name, workflowId: string, argument: SignalArguments[Name]): void;
  /** Notifies the workers after the commit although it leaves neither event nor outbox row (such as a delivery to be sent again). */
  wake(): void;
  /** What is stored under the idempotency key that the transaction has claimed; undefined if nothing is, or if it claims none. */
  readonly storedCall: StoredCallRow | undefined;
  /** Stores, with the commit, the response that a repeat of the call gets; the transaction has claimed the key. */
  storeResponse(idempotency: IdempotencyKey, response: string): void;
  /** Counts deliveries that the commit ends without an attempt. */
  countEndedDeliveries(as: keyof EndedDeliveries, count: number): void;
}
