import { Client } from 'pg';
import type { BatchState } from '../../db/repositories/provisioning/batches';
import { newId } from '../../domain/ids';
import { sealEmail } from '../../domain/people/personalEmail';
import type { ApiResponse, TestApi, TestInstitution } from './api';
import { eventually } from './eventually';

/** One entry of a bulk response. */
export interface BulkResult {
  index: number;
  id?: string;
  login_email?: string;
  error?: string;
  message?: string;
  issues?: { path: string; message: string }[];
  existing?: { id: string; login_email: string };
}

/** POST /students/bulk with these items. */
export const postStudentsBulk = (api: TestApi, { apiKey }: TestInstitution, students: unknown): Promise<ApiResponse> =>
  api.call('POST', '/students/bulk', { key: apiKey, body: { students } });

/** So many valid items, `S-0` and on. */
export const bulkItems = (count: number): { full_name: string; student_id: string; personal_email?: string }[] =>
  Array.from({ length: count }, (_, nth) => ({ full_name: `Student ${nth}`, student_id: `S-${nth}` }));

/** The institution's batches, oldest first. */
export const batchesOf = ({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>): Promise<{ id: string; status: BatchState['status'] }[]> =>
  api.domain.database.sql('SELECT id, status FROM provisioning_batches WHERE institution_id = $1 ORDER BY created_at, id', [id]);

/** What the database says of an institution's students: id and login email by the institution's own identifier. */
export async function studentsOf({ api }: TestApi, { id }: TestInstitution): Promise<Map<string, { id: string; login_email: string }[]>> {
  const rows = await api.domain.database.sql<{ id: string; login_email: string; external_id: string | null }>(
    `SELECT u.id, e.login_email, u.external_id FROM users u JOIN institution_emails e ON e.user_id = u.id
      WHERE u.institution_id = $1 AND u.kind = 'student' ORDER BY u.id`,
    [id],
  );
  const byExternalId = new Map<string, { id: string; login_email: string }[]>();
  for (const { external_id: external, ...student } of rows) {
    byExternalId.set(external ?? '', [...(byExternalId.get(external ?? '') ?? []), student]);
  }
  return byExternalId;
}

/** A personal email locked by an open transaction: statements that write the same one wait for it. */
export interface LockedEmail {
  /** Resolves when somebody waits. */
  waitForBlockedTransaction(): Promise<void>;
  /** The other transaction ends: with the email mapped, or as if it had never been. */
  end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

/** Maps an email to a new person of the institution, in a transaction that stays open until it is ended. */
export async function lockEmail({ api, settings }: TestApi, { id }: Pick<TestInstitution, 'id'>, email: string): Promise<LockedEmail> {
  const userId = newId('fac');
  const { sealed, fingerprint } = sealEmail(api.domain.secrets, { institutionId: id, userId }, email);
  const client = new Client({ connectionString: settings.databaseDirectUrl ?? settings.databaseUrl });
  await client.connect();
  // The role's timeout would end it while the test waits for others.
  await client.query('SET idle_in_transaction_session_timeout = 0');
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO users (id, institution_id, kind, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
     VALUES ($1, $2, 'faculty', 'active', $3, $4, now(), now())`,
    [userId, id, sealed, fingerprint],
  );
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    waitForBlockedTransaction: async () => {
      await eventually('somebody waits for the email', async () => {
        const waiting = await api.domain.database.sql('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]?.pid]);
        return waiting.length > 0;
      });
    },
    end: async (how) => {
      await client.query(how);
      await client.end();
    },
  };
}
