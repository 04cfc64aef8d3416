import type { EndpointEntity } from '../../db/entities/endpoint';

/** Returns when an endpoint began to fail; null while it does not. Unlike `failingSince`, from which the 72 hours count, pauses do not move it. */
export function firstFailureOf({ failingSince, firstFailedAt, movedFailingSince }: Pick<EndpointEntity, 'failingSince' | 'firstFailedAt' | 'movedFailingSince'>): Date | null {
  const isMoved = failingSince !== null && movedFailingSince?.getTime() === failingSince.getTime();
  return isMoved ? firstFailedAt : failingSince;
}
