import { Column, Entity, PrimaryColumn } from 'typeorm';

export const deliveryStatuses = ['pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The states in which a delivery still waits for an attempt or is in one. */
export const openStatuses = ['pending', 'retrying', 'held'] as const satisfies readonly DeliveryStatus[];

@Entity({ name: 'webhook_deliveries' })
export class DeliveryEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text', name: 'endpoint_id' }) endpointId!: string;
  @Column({ type: 'text', name: 'event_id' }) eventId!: string;
  @Column({ type: 'text', name: 'event_type' }) eventType!: string;
  @Column({ type: 'timestamptz', precision: 3, name: 'event_created_at' }) eventCreatedAt!: Date;
  @Column({ type: 'text' }) status!: DeliveryStatus;
  /** Which replay this is: 1 for the first window of 12 hours, one more for each replay. */
  @Column({ type: 'integer' }) cycle!: number;
  /** Attempts made in all cycles together. */
  @Column({ type: 'integer' }) attempts!: number;
  /** Scheduled attempts made in this cycle; `retryNow` does not count here. */
  @Column({ type: 'integer', name: 'schedule_step' }) scheduleStep!: number;
  /** Who waits for the next attempt: a workflow of its own or the endpoint's backlog; null before the first failure. */
  @Column({ type: 'text', name: 'retried_by', nullable: true }) retriedBy!: 'workflow' | 'backlog' | null;
  /** Since when it is held; null unless the status is `held`. */
  @Column({ type: 'timestamptz', name: 'held_at', nullable: true }) heldAt!: Date | null;
  @Column({ type: 'integer', name: 'response_code', nullable: true }) responseCode!: number | null;
  @Column({ type: 'timestamptz', name: 'first_attempt_at', nullable: true }) firstAttemptAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'next_attempt_at', nullable: true }) nextAttemptAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'deadline_at', nullable: true }) deadlineAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'delivered_at', nullable: true }) deliveredAt!: Date | null;
  @Column({ type: 'text', name: 'claimed_by', nullable: true }) claimedBy!: string | null;
  @Column({ type: 'timestamptz', name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' }) createdAt!: Date;
}
