import { Column, Entity, PrimaryColumn } from 'typeorm';

export const sessionKinds = ['student', 'faculty', 'guardian', 'developer'] as const;
export type SessionKind = (typeof sessionKinds)[number];

@Entity({ name: 'sessions' })
export class SessionEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text', name: 'user_id' }) userId!: string;
  @Column({ type: 'text' }) kind!: SessionKind;
  @Column({ type: 'bytea', name: 'token_hash' }) tokenHash!: Buffer;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'expires_at' }) expiresAt!: Date;
  @Column({ type: 'timestamptz', name: 'ended_at', nullable: true }) endedAt!: Date | null;
}
