import { waitUntil } from '../../local/waitUntil';
import type { Kind } from './expectedCounts';
import { formatDay, type SimulatedDay } from './calendar';
import type { InstitutionClient } from './institutionClient';
import type { Person } from './people';

/** What happens to a batch of coupons. */
export type Decision = 'approve' | 'reject' | 'leave';

const countKindOf = { approve: 'batches approved', reject: 'batches rejected', leave: 'batches pending' } as const satisfies Record<Decision, Kind>;

const credited = 500;
const spent = 100;
const batch = { total_coupons: 20, value_cents: 100 };
const dayMs = 86_400_000;
const codesTimeoutMs = 60_000;

/** Makes a credit and a spend, each sent twice with one ref. */
export async function moveMoney(client: InstitutionClient, day: SimulatedDay, { loginEmail, session }: Person): Promise<void> {
  const credit = { email: loginEmail, amount_cents: credited, ref: `prize-${formatDay(day)}-${loginEmail}` };
  for (let time = 1; time <= 2; time += 1) await client.key('POST', '/merits/credits', credit);
  const spend = { amount_cents: spent, ref: `use-${formatDay(day)}-${loginEmail}` };
  for (let time = 1; time <= 2; time += 1) await client.person(session, 'POST', '/app/wallet/spend', spend);
  client.counts.add('moves of money', 2);
  client.counts.add('cents in wallets', credited - spent);
}

/** Returns the first code of an approved batch, once it exists. */
async function firstCode(client: InstitutionClient, id: string): Promise<string> {
  let code = '';
  await waitUntil({
    what: `the codes of ${id}`,
    withinMs: codesTimeoutMs,
    check: async () => {
      const { codes } = await client.key<{ codes: { code: string }[] }>('GET', `/coupons/batches/${id}`);
      code = codes[0]?.code ?? '';
      if (code === '') throw new Error('No codes');
    },
  });
  return code;
}

/** Requests a batch and approves, rejects or leaves it; returns the id of an approved one. */
export async function decideBatch(client: InstitutionClient, day: SimulatedDay, decision: Decision): Promise<string | undefined> {
  const { counts, institution } = client;
  const { id } = await client.key<{ id: string }>('POST', '/coupons/batches', {
    ...batch, name: `Prizes of ${formatDay(day)}`, expiry_date: new Date(Date.now() + 365 * dayMs).toISOString(),
  });
  counts.add(countKindOf[decision]);
  if (decision === 'leave') return undefined;
  await client.platform('POST', `/institutions/${institution.id}/coupon-batches/${id}/${decision}`, {});
  if (decision === 'reject') return undefined;
  counts.add('coupons', batch.total_coupons);
  return id;
}

/** Redeems a coupon of an approved batch. */
export async function redeem(client: InstitutionClient, batchId: string, { session }: Person): Promise<void> {
  await client.person(session, 'POST', '/app/wallet/redeem', { code: await firstCode(client, batchId) });
  client.counts.add('moves of money');
  client.counts.add('cents in wallets', batch.value_cents);
}
