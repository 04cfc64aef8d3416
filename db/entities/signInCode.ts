import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'sign_in_codes' })
export class SignInCodeEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text', name: 'user_id' }) userId!: string;
  @Column({ type: 'bytea', name: 'code_hmac' }) codeHmac!: Buffer;
  /** The address that a successful sign-in maps; null if the code went to a known mailbox. */
  @Column({ type: 'text', name: 'personal_email_sealed', nullable: true }) personalEmailSealed!: string | null;
  /** Fingerprint of the address that the code went to. */
  @Column({ type: 'bytea', name: 'sent_to_hmac' }) sentToHmac!: Buffer;
  /** The enrolment code that admitted the named address; null where none was needed. */
  @Column({ type: 'text', name: 'enrolment_code_id', nullable: true }) enrolmentCodeId!: string | null;
  @Column({ type: 'integer', name: 'wrong_tries' }) wrongTries!: number;
  @Column({ type: 'timestamptz', name: 'last_wrong_at', nullable: true }) lastWrongAt!: Date | null;
  /** Since when the account was locked after the last wrong try; null if it was not, or the release before wrote the try. */
  @Column({ type: 'timestamptz', name: 'locked_at', nullable: true }) lockedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'expires_at' }) expiresAt!: Date;
  @Column({ type: 'timestamptz', name: 'used_at', nullable: true }) usedAt!: Date | null;
}
