import type { Logger } from '../config/logger';
import type { Domain } from '../domain/context';
import type { DisclosureLog } from '../domain/disclosures/disclosureLog';
import { DomainError } from '../domain/errors';
import type { TemporalUi } from '../domain/workflowView';
import type { Times } from './format';
import type { Html } from './html';
import type { SignedInStaff } from './session';

/** What the console needs from the process that runs it. */
export interface ConsoleDeps {
  domain: Domain;
  logger: Logger;
  /** Temporal's Web UI, where operators see workflows. */
  temporalUi: TemporalUi;
  /** The ids of the operations that the audit log may have, by the name of their resource. */
  auditedOperations: ReadonlyMap<string, readonly string[]>;
  disclosures: Pick<DisclosureLog, 'add'>;
}

/** A request with a session. */
export interface ConsoleRequest {
  deps: ConsoleDeps;
  /** Who is signed in. */
  staff: SignedInStaff;
  now: Date;
  requestId: string;
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** The hidden field of every form. */
  formToken: string;
  /** The epochs of the database; a workflow may have been started in any of them. */
  epochs: readonly string[];
}

/** A person whose data a page shows, and their institution. */
export interface DisclosedPerson {
  subject: string;
  institutionId: string;
}

/** The content of a page. */
export interface Page {
  title: string;
  body: Html;
  /** Of a page that says what is wrong with what was typed; 200 of any other. */
  status?: 422;
  /** The times of the institution that the page is about. */
  times?: Times;
  /** Its times are real ones, also for a sandbox whose clock is ahead. */
  hasRealTimes?: boolean;
  /** The text that screen readers read when it changes. */
  announce?: string;
  /** The text in the search box. */
  searchText?: string;
  /** Shown this once: the script does not bring it up to date. */
  once?: true;
  /** Whose data the page shows. */
  disclosed?: DisclosedPerson | readonly DisclosedPerson[] | undefined;
}

/** A page that leads to another one. */
export interface Redirection {
  to: string;
}

/** `forbidden` for staff who are no operators, with a sentence that says what only operators do. */
export function requireOperator({ staff }: Pick<ConsoleRequest, 'staff'>, words = 'Only operators see and change the staff.'): void {
  if (staff.role !== 'operator') throw new DomainError('forbidden', words);
}

/** The path parameter `id`. */
export const idParam = ({ params }: ConsoleRequest): string => params.id ?? '';

/** Returns a path below `/console` with query parameters, without those that are undefined or empty. */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined || value === '' ? [] : [[name, value]]));
  const search = new URLSearchParams(given).toString();
  return `/console${path}${search === '' ? '' : `?${search}`}`;
}

/** The paths of the pages. */
export const pathTo = {
  institution: (id: string): string => `/institutions/${encodeURIComponent(id)}`,
  deliveries: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/deliveries`,
  replayDead: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/replay-dead`,
  events: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/events`,
  auditLog: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/audit-log`,
  couponBatches: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/coupon-batches`,
  keys: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/keys`,
  endpoint: (id: string): string => `/endpoints/${encodeURIComponent(id)}`,
  delivery: (id: string): string => `/deliveries/${encodeURIComponent(id)}`,
  event: (id: string): string => `/events/${encodeURIComponent(id)}`,
  replay: (endpointId: string, id: string): string => `/endpoints/${encodeURIComponent(endpointId)}/replays/${encodeURIComponent(id)}`,
  search: '/search',
  failing: '/failing',
  staff: '/staff',
  staffMember: (id: string): string => `/staff/${encodeURIComponent(id)}`,
};
