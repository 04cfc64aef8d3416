import type { ResponseInspector } from '../../api/http/dispatch';
import { isAudited } from '../../domain/audit/auditedCall';
import { withConnection } from '../../local/programs/postgres';
import { findLeaks } from './leaks';

type Caller = Parameters<ResponseInspector>[3];

/** A row as this check reads it. */
interface Row {
  request_id: string;
  said: string;
  whole: string;
}

/** Holds the audit log against what one API has answered. */
export interface AuditCheck {
  /** A call that succeeded. */
  recordSuccess(caller: Caller): void;
  /** A call that was answered with an error. */
  recordRejection(requestId: string | null): void;
  /** Throws unless each write that succeeded has left exactly one row with its actor and operation, none that was refused any, and no row contains a secret. */
  assertConsistent(databaseUrl: string): Promise<void>;
}

/** A bulk call is recorded with its batch, even if it creates no student. */
const recordedDespiteError = 'createStudentsBulk';

const read = `SELECT request_id, concat_ws(' ', actor_kind, actor_id, operation) AS said, audit_log::text AS whole FROM audit_log`;

/** Watches one API of a test file. */
export function createAuditCheck(): AuditCheck {
  const done = new Map<string, string>();
  const rejected = new Set<string>();
  return {
    recordSuccess: (caller) => {
      if (isAudited(caller)) done.set(caller.requestId, `${caller.actor.kind} ${caller.actor.id} ${caller.operation?.id ?? ''}`);
    },
    recordRejection: (requestId) => {
      if (requestId !== null) rejected.add(requestId);
    },
    assertConsistent: async (databaseUrl) => {
      const rows = await withConnection(databaseUrl, async (client) => (await client.query<Row>(read)).rows);
      const byRequest = new Map<string, string[]>();
      for (const { request_id: id, said } of rows) byRequest.set(id, [...(byRequest.get(id) ?? []), said]);
      const faults = [
        ...[...done].filter(([id, said]) => (byRequest.get(id) ?? []).join() !== said)
          .map(([id, said]) => `${said} (${id}) has left ${JSON.stringify(byRequest.get(id) ?? [])}`),
        ...rows.filter(({ request_id: id, said }) => rejected.has(id) && !said.endsWith(recordedDespiteError)).map(({ whole }) => `refused, and on record: ${whole}`),
        ...rows.filter(({ whole }) => whole.includes('@') || findLeaks('', whole).length > 0).map(({ whole }) => `contains too much: ${whole}`),
      ];
      if (faults.length > 0) throw new Error(`The audit log is not as the calls were:\n${faults.slice(0, 5).join('\n')}`);
    },
  };
}
