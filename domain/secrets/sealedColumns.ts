/** Every column that is sealed, by its table. A row's seal is bound to its place: see `SealContext`. */
export const sealedColumns = {
  exams: ['hidden_key_sealed'],
  idempotency_keys: ['response_sealed'],
  provisioning_rows: ['personal_email_sealed'],
  sandbox_emails: ['email_sealed'],
  sign_in_codes: ['personal_email_sealed'],
  sign_in_emails: ['request_sealed', 'email_sealed'],
  users: ['personal_email_sealed'],
  webhook_endpoints: ['secret_sealed', 'previous_secret_sealed', 'headers_sealed', 'signing_key_sealed', 'previous_signing_key_sealed'],
} as const;

export type SealedTable = keyof typeof sealedColumns;

/**
 * The place of a sealed value. A value that is copied to another column, row or institution does not open. `institutionId` is
 * null in `sign_in_emails`, whose rows are written before the account is known; `rowId` is the primary key there, or its part
 * beside the institution.
 */
export type SealContext = {
  [Table in SealedTable]: { institutionId: string | null; table: Table; column: (typeof sealedColumns)[Table][number]; rowId: string };
}[SealedTable];
