import type { Operation } from '../../domain/context';
import type { Access } from './access';
import type { OperationRecord } from './operation';

/** The path prefix of each API. */
const apiPrefixes: Record<Access['by'], string> = { key: '/v1', platform: '/platform/v1' };

function stringParams(params: unknown): Record<string, string> {
  const entries: [string, unknown][] = typeof params === 'object' && params !== null ? Object.entries(params) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function changedFields({ request: { upload } }: OperationRecord<never>, sent: object | undefined): string[] {
  return upload === undefined ? Object.keys(sent ?? {}) : ['file', ...Object.keys(upload.fields ?? {})];
}

/** Returns the audit log's entry for a call; undefined if the operation is not audited, or the call only counts. */
export function auditedOperation(record: OperationRecord<never>, params: unknown, sent: object | undefined): { operation?: Operation } {
  const { method, path, operationId, access, audit } = record;
  if (audit === 'none') return {};
  const { unless, ...fields } = audit;
  if (unless !== undefined && sent !== undefined && Reflect.get(sent, unless) === true) return {};
  return {
    operation: {
      ...fields,
      id: operationId,
      method,
      path: apiPrefixes[access.by] + path.replaceAll(/:(\w+)/g, '{$1}'),
      target: stringParams(params),
      changed: changedFields(record, sent),
    },
  };
}
