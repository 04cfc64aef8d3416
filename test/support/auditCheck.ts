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

const institutions = 'SELECT id FROM institutions';

/** Watches one API of a test file. */
export function createAuditCheck(): AuditCheck {
  const done = new Map<string, { said: string; institutionId: string; isForgotten: boolean }>();
  const rejected = new Set<string>();
  return {
    recordSuccess: (caller) => {
      const { actor, institutionId, operation } = caller;
      const isForgotten = !['platform', 'staff'].includes(actor.kind);
      if (isAudited(caller)) done.set(caller.requestId, { said: `${actor.kind} ${actor.id} ${operation?.id ?? ''}`, institutionId, isForgotten });
    },
    recordRejection: (requestId) => {
      if (requestId !== null) rejected.add(requestId);
    },
    assertConsistent: async (databaseUrl) => {
      const [rows, present] = await withConnection(databaseUrl, async (client) => [
        (await client.query<Row>(read)).rows,
        new Set((await client.query<{ id: string }>(institutions)).rows.map(({ id }) => id)),
      ] as const);
      // Of an institution that has left, and of its sandbox, only what the platform and its staff did stays.
      const expected = [...done].filter(([, { institutionId, isForgotten }]) => !isForgotten || institutionId === '' || present.has(institutionId));
      const byRequest = new Map<string, string[]>();
      for (const { request_id: id, said } of rows) byRequest.set(id, [...(byRequest.get(id) ?? []), said]);
      const faults = [
        ...expected.filter(([id, { said }]) => (byRequest.get(id) ?? []).join() !== said)
          .map(([id, { said }]) => `${said} (${id}) has left ${JSON.stringify(byRequest.get(id) ?? [])}`),
        ...rows.filter(({ request_id: id, said }) => rejected.has(id) && !said.endsWith(recordedDespiteError)).map(({ whole }) => `refused, and on record: ${whole}`),
        ...rows.filter(({ whole }) => whole.includes('@') || findLeaks('', whole).length > 0).map(({ whole }) => `contains too much: ${whole}`),
      ];
      if (faults.length > 0) throw new Error(`The audit log is not as the calls were:\n${faults.slice(0, 5).join('\n')}`);
    },
  };
}
