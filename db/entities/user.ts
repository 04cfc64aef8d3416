import { Column, Entity, PrimaryColumn } from 'typeorm';

export type UserKind = 'student' | 'faculty' | 'guardian' | 'developer';
export const userStatuses = ['pending', 'active', 'suspended'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** The profile that a teacher enters at the first sign-in. */
export interface FacultyProfile {
  employee_id: string;
  department: string;
  position: string;
}

@Entity({ name: 'users' })
export class UserEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text' }) kind!: UserKind;
  @Column({ type: 'text', name: 'full_name', nullable: true }) fullName!: string | null;
  @Column({ type: 'text', name: 'external_id', nullable: true }) externalId!: string | null;
  @Column({ type: 'text' }) status!: UserStatus;
  /** Whether the unique index holds the student's external id; a trigger writes it. */
  @Column({ type: 'boolean', name: 'unique_student_id', default: false }) uniqueStudentId!: boolean;
  @Column({ type: 'boolean', name: 'is_admin' }) isAdmin!: boolean;
  @Column({ type: 'jsonb', nullable: true }) profile!: FacultyProfile | null;
  @Column({ type: 'boolean', name: 'profile_completed' }) profileCompleted!: boolean;
  @Column({ type: 'text', name: 'personal_email_sealed', nullable: true }) personalEmailSealed!: string | null;
  @Column({ type: 'bytea', name: 'personal_email_hmac', nullable: true }) personalEmailHmac!: Buffer | null;
  @Column({ type: 'timestamptz', name: 'first_signed_in_at', nullable: true }) firstSignedInAt!: Date | null;
  /** When the erasure of the person was requested. */
  @Column({ type: 'timestamptz', name: 'erased_at', nullable: true }) erasedAt!: Date | null;
  /** Since when the person is suspended; a trigger writes it. */
  @Column({ type: 'timestamptz', name: 'suspended_at', nullable: true }) suspendedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
}
