import { withConnection } from '../../../local/programs/postgres';
import type { TestApi, TestInstitution } from '../api';

/** Writes this many calls into the audit log as of a time, a millisecond apart; only the table's owner can. */
export async function seedAuditLog({ stack }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, { at, count = 1, operation = 'createStudent', actorKind = 'key' }: { at: Date; count?: number; operation?: string; actorKind?: string }): Promise<void> {
  await withConnection(stack.ownerDatabaseUrl, async (client) => {
    await client.query(
      `INSERT INTO audit_log (id, institution_id, at, actor_kind, actor_id, operation, method, path, target, changed, request_id)
       SELECT 'aud_' || gen_random_uuid(), $1, $2::timestamptz + nth * interval '1 ms', $5, $5 || '_1', $4, 'POST', '/v1/students',
              jsonb_build_object('created', 'stu_' || nth), '{full_name}', 'req_' || nth FROM generate_series(1, $3::int) nth`,
      [institutionId, at, count, operation, actorKind],
    );
  });
}
