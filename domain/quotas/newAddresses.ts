import { countNewAddress } from '../../db/repositories/quotas/newAddresses';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { readQuotas } from './quotas';

const dayMs = 86_400_000;

/** Returns the UTC day of a time, and the beginning of the next. */
function dayOf(now: Date): { day: string; next: Date } {
  const day = now.toISOString().slice(0, 10);
  return { day, next: new Date(Date.parse(day) + dayMs) };
}

/**
 * Counts an email to an address that nobody has confirmed, and returns whether it is within the institution's quota of the
 * UTC day. Such emails of an institution wait for each other from here to the commit: call it last.
 */
export async function isNewAddressAllowed(tx: Transaction): Promise<boolean> {
  const { daily_new_addresses: limit } = await readQuotas(tx);
  return countNewAddress(tx, dayOf(tx.now).day, limit);
}

/** `conflict` beyond the institution's daily quota of emails to addresses that nobody has confirmed; the message says when the next is accepted. */
export async function requireNewAddressAllowed(tx: Transaction): Promise<void> {
  if (await isNewAddressAllowed(tx)) return;
  const { daily_new_addresses: limit } = await readQuotas(tx);
  const { next } = dayOf(tx.now);
  throw new DomainError('conflict', `Daily limit of ${limit.toLocaleString('en')} emails to new addresses reached; retry after ${next.toISOString()}.`);
}
