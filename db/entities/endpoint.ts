import { Column, Entity, PrimaryColumn } from 'typeorm';

export const endpointStatuses = ['active', 'paused', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

@Entity({ name: 'webhook_endpoints' })
export class EndpointEntity {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text', name: 'institution_id' }) institutionId!: string;
  @Column({ type: 'text' }) url!: string;
  @Column({ type: 'text', nullable: true }) description!: string | null;
  @Column({ type: 'text', array: true }) events!: string[];
  @Column({ type: 'text' }) status!: EndpointStatus;
  @Column({ type: 'text', name: 'disabled_reason', nullable: true }) disabledReason!: string | null;
  @Column({ type: 'text', name: 'secret_sealed' }) secretSealed!: string;
  @Column({ type: 'text', name: 'previous_secret_sealed', nullable: true }) previousSecretSealed!: string | null;
  @Column({ type: 'timestamptz', name: 'previous_secret_expires_at', nullable: true }) previousSecretExpiresAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'secret_rotated_at', nullable: true }) secretRotatedAt!: Date | null;
  /** The headers that the endpoint's owner adds to each attempt, by name, sealed as one; null without any. */
  @Column({ type: 'text', name: 'headers_sealed', nullable: true }) headersSealed!: string | null;
  @Column({ type: 'text', array: true, name: 'header_names' }) headerNames!: string[];
  /** The Ed25519 key that signs in addition to the secret; null if the scheme is `hmac`. */
  @Column({ type: 'text', name: 'signing_key_sealed', nullable: true }) signingKeySealed!: string | null;
  @Column({ type: 'text', name: 'public_key', nullable: true }) publicKey!: string | null;
  /** The key before the last rotation: it signs as long as the previous secret. */
  @Column({ type: 'text', name: 'previous_signing_key_sealed', nullable: true }) previousSigningKeySealed!: string | null;
  @Column({ type: 'text', name: 'previous_public_key', nullable: true }) previousPublicKey!: string | null;
  @Column({ type: 'integer', name: 'consecutive_failures' }) consecutiveFailures!: number;
  @Column({ type: 'timestamptz', name: 'last_success_at', nullable: true }) lastSuccessAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'last_failure_at', nullable: true }) lastFailureAt!: Date | null;
  /** Since when deliveries are held; null unless the status is `paused`. */
  @Column({ type: 'timestamptz', name: 'paused_at', nullable: true }) pausedAt!: Date | null;
  /** Since when its clock is paused, because it is paused or its institution suspended; null while both accept deliveries. */
  @Column({ type: 'timestamptz', name: 'resting_since', nullable: true }) clockPausedSince!: Date | null;
  /** When a replay of its dead deliveries was last requested. */
  @Column({ type: 'timestamptz', name: 'replay_asked_at', nullable: true }) replayAskedAt!: Date | null;
  /** `open` after consecutive failures: only probes are attempted. */
  @Column({ type: 'text' }) circuit!: 'closed' | 'open';
  @Column({ type: 'timestamptz', name: 'circuit_opened_at', nullable: true }) circuitOpenedAt!: Date | null;
  /** When the open circuit is probed next; null while it is closed. */
  @Column({ type: 'timestamptz', name: 'probe_at', nullable: true }) probeAt!: Date | null;
  /** The first failure since the last success, moved forward by pauses; null after a success. */
  @Column({ type: 'timestamptz', name: 'failing_since', nullable: true }) failingSince!: Date | null;
  /** What `failing_since` was before pauses moved it. */
  @Column({ type: 'timestamptz', name: 'first_failed_at', nullable: true }) firstFailedAt!: Date | null;
  /** What the last pause moved `failing_since` to: `first_failed_at` is of no other. */
  @Column({ type: 'timestamptz', name: 'moved_failing_since', nullable: true }) movedFailingSince!: Date | null;
  /** Deliveries per second at most; null without a limit. */
  @Column({ type: 'integer', name: 'rate_limit', nullable: true }) rateLimit!: number | null;
  /** The last warning of the present failures: 50, 70 or 90; null without one. */
  @Column({ type: 'integer', name: 'warned_percent', nullable: true }) warnedPercent!: number | null;
  /** Since when it had failed at the last warning. */
  @Column({ type: 'timestamptz', name: 'warned_failing_since', nullable: true }) warnedFailingSince!: Date | null;
  /** What `last_success_at` was at the last warning: a later one is a recovery. */
  @Column({ type: 'timestamptz', name: 'warned_success_at', nullable: true }) warnedSuccessAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at' }) updatedAt!: Date;
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
}
