import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'institution_emails' })
export class InstitutionEmailEntity {
  @PrimaryColumn({ type: 'text', name: 'login_email' }) loginEmail!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text', name: 'user_id' }) userId!: string;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
}
