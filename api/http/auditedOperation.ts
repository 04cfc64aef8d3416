import type { Operation } from '../../domain/context';
import type { Access, EndpointRecord } from './operation';

/** Where each API stands. */
const prefixes: Record<Access['by'], string> = { key: '/v1', platform: '/platform/v1' };

function textsOf(params: unknown): Record<string, string> {
  const entries: [string, unknown][] = typeof params === 'object' && params !== null ? Object.entries(params) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function fieldsOf({ request: { upload } }: EndpointRecord<never>, sent: object | undefined): string[] {
  return upload === undefined ? Object.keys(sent ?? {}) : ['file', ...Object.keys(upload.fields ?? {})];
}

/** What the audit log is to tell of a call; nothing of one that only reads, or signs in or out. */
export function operationOf(record: EndpointRecord<never>, params: unknown, sent: object | undefined): { operation?: Operation } {
  const { method, path, operationId, access } = record;
  if (method === 'GET' || path.startsWith('/sign-in/')) return {};
  return {
    operation: {
      id: operationId,
      method,
      path: prefixes[access.by] + path.replaceAll(/:(\w+)/g, '{$1}'),
      target: textsOf(params),
      changed: fieldsOf(record, sent),
    },
  };
}
