import { countClaims, markClaimsAlerted, recordClaim } from '../../db/repositories/signIn/accountClaims';
import { addressNetwork } from '../../lib/addressNetwork';
import type { Transaction } from '../context';

/** Accounts of an institution that may be claimed from one client address per period of this many ms, where no enrolment code is needed. */
const claimsPerPeriod = { claims: 20, periodMs: 60_000 } as const;

/** Whether an account may be claimed; the first rejection in a while raises an alert. */
export type ClaimDecision = 'allowed' | 'refused' | 'refused_with_alert';

/**
 * Records the claim of a locked account whose student names an address: refused while 20 other accounts of the institution were
 * claimed from the client address, or its IPv6 network, within a minute. Calls of this machine itself have no address, and no limit.
 */
export async function limitClaims(tx: Transaction, userId: string, clientAddress: string | undefined): Promise<ClaimDecision> {
  if (clientAddress === undefined) return 'allowed';
  const network = addressNetwork(clientAddress);
  const since = new Date(tx.now.getTime() - claimsPerPeriod.periodMs);
  const { claims, alerted } = await countClaims(tx, network, userId, since);
  if (claims < claimsPerPeriod.claims) {
    await recordClaim(tx, userId, network, tx.now);
    return 'allowed';
  }
  if (alerted) return 'refused';
  await markClaimsAlerted(tx, network, since);
  return 'refused_with_alert';
}
