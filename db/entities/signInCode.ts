import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'sign_in_codes' })
export class SignInCodeEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text', name: 'user_id' }) userId!: string;
  @Column({ type: 'bytea', name: 'code_hmac' }) codeHmac!: Buffer;
  @Column({ type: 'text', name: 'personal_email_sealed', nullable: true }) personalEmailSealed!: string | null;
  @Column({ type: 'bytea', name: 'personal_email_hmac', nullable: true }) personalEmailHmac!: Buffer | null;
  @Column({ type: 'integer', name: 'wrong_tries' }) wrongTries!: number;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'expires_at' }) expiresAt!: Date;
  @Column({ type: 'timestamptz', name: 'used_at', nullable: true }) usedAt!: Date | null;
}
