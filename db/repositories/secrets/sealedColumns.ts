/** Every column that is sealed, by its table. */
export const sealedColumns = {
  erasures: ['subject_sealed'],
  exams: ['hidden_key_sealed'],
  idempotency_keys: ['response_sealed'],
  mailbox_changes: ['email_sealed'],
  provisioning_rows: ['personal_email_sealed'],
  sandbox_emails: ['email_sealed'],
  sign_in_codes: ['personal_email_sealed'],
  sign_in_emails: ['request_sealed', 'email_sealed'],
  users: ['personal_email_sealed'],
  webhook_endpoints: ['secret_sealed', 'previous_secret_sealed', 'headers_sealed', 'signing_key_sealed', 'previous_signing_key_sealed'],
} as const;

export type SealedTable = keyof typeof sealedColumns;

/** The tables in the order in which they are resealed: what lives long first. */
export const sealedTables = ['users', 'webhook_endpoints', 'exams', 'sandbox_emails', 'erasures', 'idempotency_keys', 'provisioning_rows', 'mailbox_changes', 'sign_in_codes', 'sign_in_emails'] as const satisfies readonly SealedTable[];

/** The sealed columns of a table. */
export type SealedColumn<Table extends SealedTable = SealedTable> = (typeof sealedColumns)[Table][number];
