import type { Database, InstitutionScope } from '../db/database';
import type { WorkKind } from '../db/wakeups';
import type { EventData, EventType } from './events/eventTypes';
import type { FileStore } from './files/fileStore';
import type { SignalArguments, WorkflowArguments } from './outbox/workflows';
import type { ProvisioningRunner } from './provisioning/batch';
import type { SecretBox } from './secrets/secretBox';
import type { Outcome } from './webhooks/classifyAttempt';
import type { WorkflowView } from './workflowView';

/** Who asks: an API key, a portal user, a session of an app or guardian, the platform, or the service itself. */
export interface Actor {
  kind: 'key' | 'platform' | 'faculty' | 'developer' | 'session' | 'system';
  id: string;
}

/** A write that was asked for, as the audit log tells of it: names alone, never a value of the body. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As the documents spell it, with the prefix of its API. */
  readonly path: string;
  /** The path's parameters. */
  readonly target: Readonly<Record<string, string>>;
  /** The fields of the body, as they were sent. */
  readonly changed: readonly string[];
}

/** On whose behalf a command runs. `now` is the only time a rule knows. */
export interface Caller {
  readonly institutionId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: Date;
  /** What is written to the audit log with the commit of each transaction of this caller; nothing where there is none. */
  readonly operation?: Operation;
}

/** How many deliveries ended otherwise than by an attempt, by what they ended as. */
export type EndedDeliveries = Partial<Record<'dead' | 'cancelled', number>>;

/** What every command of a process shares. */
export interface Domain {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** `host:port` entries that webhooks may go to though they are private, over http too; empty in production. */
  readonly webhookTrustedHosts: readonly string[];
  /** Whether the host of a webhook URL is, or resolves at this moment to, an address that is not public. */
  readonly isPrivateWebhookHost: (url: URL) => Promise<boolean>;
  /** Posts once to a customer's receiver and says what came of it; whatever the receiver does is an outcome, never an error. */
  readonly postWebhook: (request: WebhookPost) => Promise<Outcome>;
  /** Called after a commit with what it left for the workers, if anything, and with the deliveries that it ended; must return at once. */
  readonly onCommitted: (left: readonly WorkKind[], ended?: EndedDeliveries) => void;
  /** Runs the batches of bulk calls. */
  readonly provisioning: ProvisioningRunner;
  /** Where uploaded files lie. */
  readonly files: FileStore;
  /** How a workflow stands; undefined where there is none of this id. Raises `internal_error` while Temporal does not answer. */
  readonly viewWorkflow: (workflowId: string) => Promise<WorkflowView | undefined>;
}

/** A request to a customer's receiver, its body signed. */
export interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** One transaction of one institution: what a command writes through. Nothing of it is seen before the commit. */
export interface Transaction extends InstitutionScope {
  readonly now: Date;
  readonly secrets: SecretBox;
  /** Appends an event; its data is checked against the event type's schema, its time is stamped at commit. */
  emit<Type extends EventType>(type: Type, data: EventData[Type]): void;
  /** Owes the start of a workflow; a second start under the same id is done already. */
  startWorkflow<Name extends keyof WorkflowArguments>(name: Name, workflowId: string, argument: WorkflowArguments[Name]): void;
  /** Owes a signal; one to a workflow that has ended is dropped. */
  signalWorkflow<Name extends keyof SignalArguments>(name: Name, workflowId: string, argument: SignalArguments[Name]): void;
  /** Wakes the workers after the commit though it leaves neither event nor owed workflow (a delivery to be sent anew). */
  wake(): void;
  /** Counts deliveries that the commit ends without an attempt. */
  countEndedDeliveries(as: keyof EndedDeliveries, count: number): void;
}
