import { Column, Entity, PrimaryColumn } from 'typeorm';

export const licenseTypes = ['student', 'faculty', 'institution'] as const;
export type LicenseType = (typeof licenseTypes)[number];
export const licenseStatuses = ['active', 'expired', 'suspended', 'revoked'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

@Entity({ name: 'licenses' })
export class LicenseEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text', name: 'user_id', nullable: true }) userId!: string | null;
  @Column({ type: 'text', name: 'license_type' }) licenseType!: LicenseType;
  @Column({ type: 'text' }) status!: LicenseStatus;
  @Column({ type: 'integer', name: 'max_activations' }) maxActivations!: number;
  @Column({ type: 'boolean', name: 'is_lifetime' }) isLifetime!: boolean;
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @Column({ type: 'text', name: 'revoke_reason', nullable: true }) revokeReason!: string | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
}
