import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexStatements, joinPartitions, partitionByTime, type TimePartitioned } from './timePartitions';

const auditLog: TimePartitioned = {
  table: 'audit_log',
  column: 'id',
  prefix: 'aud',
  period: 'month',
  kept: '400 days',
  constraints: [
    'CONSTRAINT audit_log_pkey PRIMARY KEY (id)',
    "CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind IN ('key', 'platform', 'faculty', 'developer', 'staff', 'system'))",
  ],
  indexes: {
    audit_log_actor: 'audit_log (institution_id, actor_id, at DESC, id DESC)',
    audit_log_at: 'audit_log USING brin (at)',
    audit_log_export: 'audit_log (at, id)',
    audit_log_listing: 'audit_log (institution_id, at DESC, id DESC)',
    audit_log_operation: 'audit_log (institution_id, operation)',
    audit_log_request: 'audit_log (request_id)',
  },
  replaced: {},
  triggers: {
    audit_log_rows: 'BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()',
    audit_log_whole: 'BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()',
  },
};

/** Deletes what is older than a time. */
const forgetAudited = (before: string): string => `
CREATE OR REPLACE FUNCTION forget_audited(p_limit integer) RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH forgotten AS (
    DELETE FROM public.audit_log
     WHERE id IN (SELECT id FROM public.audit_log WHERE at < ${before} LIMIT p_limit)
    RETURNING 1
  )
  SELECT count(*)::integer FROM forgotten
$$`;

/**
 * The audit log is partitioned by the month. A partition is dropped when its last entry is 400 days old by the database's clock; what has no
 * partition of its month, as from before the migration, goes row by row by the same rule. Each partition refuses what the table refuses.
 */
export class AuditLogPartitions1800100000002 implements MigrationInterface {
  readonly name = 'AuditLogPartitions1800100000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forgetAudited("date_trunc('month', (now() - interval '400 days') AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'"));
    await partitionByTime(runner, auditLog);
  }

  async down(runner: QueryRunner): Promise<void> {
    await joinPartitions(runner, auditLog, indexStatements(auditLog.indexes));
    await runner.query(forgetAudited("now() - interval '400 days'"));
  }
}
