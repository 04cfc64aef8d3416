import type { PlatformRole } from '../http/access';
import type { OperationRecord } from '../http/operation';
import { platformOperations } from './platform';
import { publicOperations } from './public';

/** The calls of these roles are recorded; those of apps and guardians are visible in events. */
const auditedRoles: readonly PlatformRole[] = ['platform', 'operator', 'support', 'admin', 'developer'];

const isRecorded = ({ access, audit }: OperationRecord<never>): boolean =>
  audit !== 'none' && (access.by === 'key' || access.roles.some((role) => auditedRoles.includes(role)));

/** The ids of the operations that the audit log may have, of both APIs, by the name of their resource. */
export const auditedOperations: ReadonlyMap<string, readonly string[]> = (() => {
  const records: readonly OperationRecord<never>[] = [...publicOperations, ...platformOperations].filter(isRecorded);
  const resources = [...new Set(records.map(({ tag }) => tag))].sort();
  return new Map(resources.map((resource) => [resource, [...new Set(records.filter(({ tag }) => tag === resource).map(({ operationId }) => operationId))].sort()]));
})();
