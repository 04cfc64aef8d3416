import { Column, Entity, PrimaryColumn } from 'typeorm';

export type InstitutionStatus = 'pending' | 'approved' | 'suspended';

/** What `PUT /institution/config` replaces. */
export interface IntegrationConfig {
  default_ai_policy: { allowed: boolean; model_tier: 'any' | 'cloud' | 'local'; max_interactions: number | null };
  default_proctoring: { camera: boolean; microphone: boolean; screen: boolean };
  allowed_toolchains: string[];
  toolchain_mirror: { base_url: string } | null;
  lms: Record<string, unknown>;
}

@Entity({ name: 'institutions' })
export class InstitutionEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) status!: InstitutionStatus;
  @Column({ type: 'text', name: 'login_domain' }) loginDomain!: string;
  @Column({ type: 'text', name: 'time_zone' }) timeZone!: string;
  @Column({ type: 'jsonb' }) config!: IntegrationConfig;
  @Column({ type: 'timestamptz', name: 'suspended_at', nullable: true }) suspendedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
}
