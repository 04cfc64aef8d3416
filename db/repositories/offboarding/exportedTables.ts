import { escapeIdentifier } from 'pg';
import { readByCursor } from '../../cursor';
import type { Database } from '../../database';
import type { Sql } from '../../statement';
import type { WalkScope } from '../../walk';

/*
 * The rows that the archive of an institution that leaves has. These statements are not prepared by name: they run once, over whole
 * tables.
 */

/** The rows of a table that belong to rows of another one, found by these: OFFSET 0 keeps the planner from looking at each row of the table for its owner. */
const byOwner = (table: string, column: string, owners: string): string =>
  `(SELECT id FROM ${owners} WHERE institution_id = $1 OFFSET 0) owner CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${column} = owner.id OFFSET 0) t`;

/** What the archive has of each table, and where its rows are the institution's if they do not say so themselves. */
export const exportedTables = {
  institutions: { description: 'The institution itself, with its integration config.', from: 'institutions t WHERE t.id = $1' },
  users: { description: 'Students, faculty, guardians and developers. Personal emails are never returned.' },
  institution_emails: { description: 'Login emails.' },
  licenses: { description: 'Licenses.' },
  activations: { description: 'Devices on which a license was used.' },
  seats: { description: 'Seats of devices in the apps.' },
  groups: { description: 'Groups.' },
  group_members: { description: 'Who is in which group.' },
  guardian_links: { description: 'Links of guardians to students.' },
  developers: { description: 'Developers of the institution.' },
  exams: { description: 'Exams. Keys of hidden tests are not exported.' },
  exam_assignments: { description: 'To which groups and students exams are assigned.' },
  exam_files: { description: 'Files of exams.' },
  exam_notices: { description: 'Notices of exams.' },
  exam_notice_recipients: { description: 'Who was notified of an exam.' },
  attempts: { description: 'Attempts at exams.' },
  attempt_events: { description: 'What happened in attempts, proctoring events with their details.' },
  submissions: { description: 'Submissions, every version, with text and grade.' },
  submission_attachments: { description: 'Files of submissions.' },
  code_secret_releases: { description: 'Releases of keys of hidden tests.' },
  files: { description: 'Files; their bytes are in files/.' },
  allowances: { description: 'The allowance of merits.' },
  wallets: { description: 'Wallets of merits.' },
  merit_moves: { description: 'The ledger of merits, in cents.' },
  coupon_batches: { description: 'Batches of coupons.' },
  coupons: { description: 'Coupons.' },
  curricula: { description: 'Curricula of the institution.' },
  curriculum_concepts: { description: 'Concepts of these curricula.', from: byOwner('curriculum_concepts', 'curriculum_id', 'curricula') },
  alpha_enrollments: { description: 'Enrollments in Alpha Learning.' },
  alpha_students: { description: 'Totals of students in Alpha Learning.', from: byOwner('alpha_students', 'student_id', 'users') },
  alpha_mastery: { description: 'Concepts, with the best score.' },
  alpha_progress: { description: 'Progress reports.' },
  alpha_days: { description: 'Minutes of learning a day.' },
  alpha_points: { description: 'The ledger of points.' },
  alpha_badges: { description: 'Badges.' },
  weekly_reports: { description: 'Weekly reports to guardians.' },
  provisioning_batches: { description: 'Bulk calls.' },
  provisioning_rows: { description: 'The rows of bulk calls.' },
  sessions: { description: 'Sessions.' },
  sign_ins: { description: 'The history of sign-ins.' },
  api_keys: { description: 'API keys, without the keys.' },
  webhook_endpoints: { description: 'Webhook endpoints, without secrets and headers.' },
  webhook_deliveries: { description: 'Deliveries of webhooks, open and ended.', from: 'deliveries t WHERE t.institution_id = $1' },
  webhook_attempts: { description: 'Attempts of deliveries.', from: byOwner('webhook_attempts', 'delivery_id', 'deliveries') },
  webhook_replays: { description: 'Replays and recoveries of deliveries.' },
  endpoint_statistics: { description: 'Statistics of endpoints by hour.' },
  events: { description: 'Events of the last 30 days.' },
  institution_quotas: { description: 'Quotas.' },
  institution_retention: { description: 'How long recordings and proctoring details are kept.' },
  person_exports: { description: "Exports of people's data." },
  erasures: { description: 'People who were erased, with the certificates.' },
  audit_log: { description: 'The audit log.' },
  disclosures: { description: 'Who has read whose data.' },
  offboardings: { description: 'Offboardings of the institution.' },
} as const satisfies Record<string, { description: string; from?: string }>;
export type ExportedTable = keyof typeof exportedTables;

/** The tables of an institution's rows that the archive does not have, and why. */
export const notExportedTables = {
  idempotency_keys: 'responses of the last day, sealed',
  event_queue: 'events on their way',
  open_deliveries: 'among the rows of webhook_deliveries',
  pruned_events: 'where the events of the last 30 days begin',
  webhook_rate_limits: 'counters',
  sandbox_emails: 'of the sandbox alone',
  sign_in_emails: 'emails on their way',
  sign_in_codes: 'codes',
  enrolment_codes: 'codes',
  account_claims: 'counters',
  mailbox_changes: 'codes',
  attempt_expiries: 'what workflows wait for',
  weekly_report_letters: 'emails on their way',
  weekly_report_runs: 'how far the reports of a week are',
  guardian_letters: 'limits of emails to an address',
  new_address_emails: 'counters',
  stored_bytes: 'counters',
  row_counts: 'counters',
  row_count_checks: 'counters',
  owed_workflows: 'what is sent to Temporal within seconds',
  open_workflows: 'what Temporal works on',
  login_counters: 'counters',
  event_clocks: 'counters',
} as const;

/** A column of a table. */
export interface ColumnRow {
  name: string;
  type: string;
  nullable: boolean;
}

/** Hashes and sealed values, which are secrets or of no use without keys. */
const withheld = "(data_type = 'bytea' OR column_name ~ '_(sealed|hash|hmac)$')";
const columnsOf = `SELECT column_name::text AS name, data_type::text AS type, is_nullable = 'YES' AS nullable FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`;

/** The columns of a table that the archive has, in their order. */
export function listExportedColumns(sql: Sql, table: ExportedTable): Promise<ColumnRow[]> {
  return sql<ColumnRow>(`${columnsOf} AND NOT ${withheld} ORDER BY ordinal_position`, [table]);
}

/** The rows of a table that are the institution's, some at a time, as lines of JSON with these columns alone. */
export async function* readExportedLines(database: Pick<Database, 'pool' | 'tenantRole'>, institutionId: string, table: ExportedTable, columns: readonly string[]): AsyncGenerator<string[]> {
  const { from = `${table} t WHERE t.institution_id = $1` } = { from: undefined, ...exportedTables[table] };
  const picked = `SELECT to_jsonb(r)::text AS line FROM (SELECT ${columns.map((name) => `t.${escapeIdentifier(name)}`).join()} FROM ${from}) r`;
  for await (const rows of readByCursor<{ line: string }>(database, picked, [institutionId], { institutionId })) yield rows.map(({ line }) => line);
}

/** A file of the institution whose bytes are in the store. */
export interface InstitutionFileRow {
  id: string;
  filename: string;
}

// The comparison of both columns is for the index that has both: that of ids has those of all institutions.
const files = "SELECT id, filename FROM files WHERE institution_id = $1 AND (institution_id, id) > ($1, $2) AND status = 'stored' AND kind <> 'export' ORDER BY id LIMIT $3";

/** The next stored files of the institution by id, after `afterId` ('' for the first); archives are not among them. */
export function listInstitutionFiles({ institutionId, sql }: WalkScope, afterId: string, limit: number): Promise<InstitutionFileRow[]> {
  return sql<InstitutionFileRow>(files, [institutionId, afterId, limit]);
}

const stored = "SELECT 1 FROM files WHERE institution_id = $1 AND id = $2 AND status = 'stored'";

/** Whether a file is still stored. */
export async function isFileStored({ institutionId, sql }: WalkScope, id: string): Promise<boolean> {
  return (await sql(stored, [institutionId, id])).length > 0;
}
