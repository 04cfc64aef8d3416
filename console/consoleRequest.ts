import type { Logger } from '../config/logger';
import type { Domain } from '../domain/context';
import type { TemporalUi } from '../domain/workflowView';
import type { Html } from './html';

/** What the console needs from the process that runs it. */
export interface ConsoleDeps {
  domain: Domain;
  logger: Logger;
  /** Where an operator looks at workflows. */
  temporalUi: TemporalUi;
}

/** One request of someone who is signed in. */
export interface ConsoleRequest {
  deps: ConsoleDeps;
  now: Date;
  requestId: string;
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** What every form carries. */
  formToken: string;
  /** The epochs of the database, in each of which a workflow may have been started. */
  epochs: readonly string[];
}

/** What a page shows. */
export interface Page {
  title: string;
  body: Html;
  /** Read out to those who do not see the page, whenever it changes. */
  announce?: string;
}

/** The path parameter `id`. */
export const idParam = ({ params }: ConsoleRequest): string => params.id ?? '';

/** A path below `/console` with query parameters; those that are undefined or empty are left out. */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined || value === '' ? [] : [[name, value]]));
  const search = new URLSearchParams(given).toString();
  return `/console${path}${search === '' ? '' : `?${search}`}`;
}

/** Where each thing has its page. */
export const pathTo = {
  institution: (id: string): string => `/institutions/${encodeURIComponent(id)}`,
  deliveries: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/deliveries`,
  auditLog: (institutionId: string): string => `/institutions/${encodeURIComponent(institutionId)}/audit-log`,
  endpoint: (id: string): string => `/endpoints/${encodeURIComponent(id)}`,
  delivery: (id: string): string => `/deliveries/${encodeURIComponent(id)}`,
  event: (id: string): string => `/events/${encodeURIComponent(id)}`,
};
