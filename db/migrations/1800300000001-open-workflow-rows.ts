import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows of what waits in Temporal since before there was a table of open workflows, as far as other tables say so. A new epoch makes all of
 * them due for a check, as none has its new id.
 */
export class OpenWorkflowRows1800300000001 implements MigrationInterface {
  readonly name = 'OpenWorkflowRows1800300000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
INSERT INTO open_workflows (workflow_id, institution_id, name, argument)
SELECT exam_id || ':' || number, institution_id, 'examNotification',
       jsonb_strip_nulls(jsonb_build_object('examId', exam_id, 'institutionId', institution_id, 'notice', number, 'submissionId', submission_id))
  FROM exam_notices WHERE ended_at IS NULL AND created_at > now() - interval '3 days'
UNION ALL
SELECT exam_id || ':attempts:' || run, institution_id, 'attemptExpiry', jsonb_build_object('examId', exam_id, 'institutionId', institution_id, 'run', run)
  FROM attempt_expiries WHERE open
UNION ALL
SELECT r.institution_id || ':reports:' || r.week || CASE WHEN i.resets = 0 THEN '' ELSE ':' || i.resets END, r.institution_id, 'weeklyReportLetters',
       jsonb_build_object('institutionId', r.institution_id, 'week', r.week)
  FROM weekly_report_runs r JOIN institutions i ON i.id = r.institution_id WHERE r.gathered_at > now() - interval '3 days' AND r.ended_at IS NULL
UNION ALL
SELECT id || ':' || invitation, institution_id, 'guardianInvitation', jsonb_build_object('linkId', id, 'institutionId', institution_id, 'invitation', invitation)
  FROM guardian_links WHERE verified_at IS NULL AND expires_at > now()
UNION ALL
SELECT user_id || ':' || invitation, institution_id, 'developerInvitation', jsonb_build_object('developerId', user_id, 'institutionId', institution_id, 'invitation', invitation)
  FROM developers WHERE status = 'invited' AND expires_at > now()
UNION ALL
SELECT id, institution_id, 'couponBatchApproval', jsonb_build_object('batchId', id, 'institutionId', institution_id)
  FROM coupon_batches WHERE status = 'pending'
UNION ALL
SELECT 'erase_' || person_id || ':' || number, institution_id, 'personErasure', jsonb_build_object('personId', person_id, 'institutionId', institution_id, 'number', number)
  FROM erasures WHERE ended_at IS NULL
UNION ALL
SELECT 'export_' || person_id || ':' || number, institution_id, 'personExport', jsonb_build_object('exportId', id, 'institutionId', institution_id)
  FROM person_exports WHERE status = 'preparing'
UNION ALL
SELECT 'offboard_' || institution_id || ':' || number, institution_id, 'institutionOffboarding', jsonb_build_object('institutionId', institution_id, 'number', number)
  FROM offboardings WHERE status IN ('read_only', 'erasing')
UNION ALL
SELECT id || ':reset:' || resets, id, 'sandboxReset', jsonb_build_object('institutionId', id, 'reset', resets)
  FROM institutions WHERE sandbox_of IS NOT NULL AND erasing_since IS NOT NULL AND read_only_until IS NULL
ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION begin_workflow_epoch() RETURNS text LANGUAGE sql AS $$
  UPDATE open_workflows SET check_after = '-infinity';
  INSERT INTO workflow_epochs (epoch) VALUES (to_hex(floor(extract(epoch FROM clock_timestamp()))::bigint)) RETURNING epoch
$$;
`);
  }

  // The rows go with the table, by the migration that made it.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE OR REPLACE FUNCTION begin_workflow_epoch() RETURNS text LANGUAGE sql AS $$
  INSERT INTO workflow_epochs (epoch) VALUES (to_hex(floor(extract(epoch FROM clock_timestamp()))::bigint)) RETURNING epoch
$$;
`);
  }
}
