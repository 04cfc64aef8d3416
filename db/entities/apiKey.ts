import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The keys of an institution are live; those of its sandbox are for tests. */
export const keyEnvironments = ['live', 'test'] as const;
export type KeyEnvironment = (typeof keyEnvironments)[number];

@Entity({ name: 'api_keys' })
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text' }) environment!: KeyEnvironment;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'bytea', name: 'key_hash' }) keyHash!: Buffer;
  @Column({ type: 'text' }) prefix!: string;
  @Column({ type: 'text', name: 'last_four' }) lastFour!: string;
  @Column({ type: 'text', array: true }) scopes!: string[];
  @Column({ type: 'integer', name: 'rate_limit_per_min' }) rateLimitPerMin!: number;
  @Column({ type: 'text', name: 'created_by' }) createdBy!: string;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
}
