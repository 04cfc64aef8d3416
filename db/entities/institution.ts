import { Column, Entity, PrimaryColumn } from 'typeorm';

export const institutionStatuses = ['pending', 'approved', 'suspended'] as const;
export type InstitutionStatus = (typeof institutionStatuses)[number];

/** Which models the assistant may use. */
export const modelTiers = ['any', 'cloud', 'local'] as const;
type ModelTier = (typeof modelTiers)[number];

/** Toolchains that a coding exam may use (section code_spec). */
export const toolchains = ['c', 'cpp', 'java', 'python', 'node', 'sqlite'] as const;
export type Toolchain = (typeof toolchains)[number];

/** What `PUT /institution/config` replaces, but for what has a column of its own. */
export interface StoredConfig {
  default_ai_policy: { allowed: boolean; model_tier: ModelTier; max_interactions: number | null };
  default_proctoring: { camera: boolean; microphone: boolean; screen: boolean };
  allowed_toolchains: Toolchain[];
  toolchain_mirror: { base_url: string } | null;
  lms: Record<string, unknown>;
}

/** What `PUT /institution/config` replaces. */
export interface IntegrationConfig extends StoredConfig {
  unique_student_ids: boolean;
  require_enrolment_code: boolean;
}

@Entity({ name: 'institutions' })
export class InstitutionEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) status!: InstitutionStatus;
  @Column({ type: 'text', name: 'login_domain' }) loginDomain!: string;
  @Column({ type: 'text', name: 'time_zone' }) timeZone!: string;
  @Column({ type: 'jsonb' }) config!: StoredConfig;
  @Column({ type: 'boolean', name: 'unique_student_ids', default: false }) uniqueStudentIds!: boolean;
  @Column({ type: 'boolean', name: 'require_enrolment_code', default: false }) requireEnrolmentCode!: boolean;
  @Column({ type: 'timestamptz', name: 'suspended_at', nullable: true }) suspendedAt!: Date | null;
  @Column({ type: 'text', name: 'sandbox_of', nullable: true }) sandboxOf!: string | null;
  /** How far the clock of a sandbox is ahead, in ms; the driver returns a bigint as a string. */
  @Column({ type: 'bigint', name: 'clock_offset_ms' }) clockOffsetMs!: string;
  @Column({ type: 'timestamptz', name: 'erasing_since', nullable: true }) erasingSince!: Date | null;
  /** Of an institution that leaves, and of its sandbox: until then it is read-only, then its data is erased. */
  @Column({ type: 'timestamptz', name: 'read_only_until', nullable: true }) readOnlyUntil!: Date | null;
  /** How often its data was erased: names of workflows that may come again contain it. */
  @Column({ type: 'integer' }) resets!: number;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
}
