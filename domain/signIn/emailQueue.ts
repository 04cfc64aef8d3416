import { DomainError } from '../errors';

/** Maximum number of queued sign-in emails: what ten minutes without a mail server may collect; a flood must not fill the disk. */
export const maxQueued = 100_000;

/** Rejects with `rate_limited` while so many emails wait that none is accepted; nothing is written before. */
export function requireQueueSpace(waiting: number): void {
  if (waiting >= maxQueued) throw new DomainError('rate_limited', 'Too many sign-in codes are waiting to be sent; retry in a minute.');
}
