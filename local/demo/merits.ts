import type { InstitutionClient } from '../../clients/typescript/src';
import type { DemoStudent } from './people';
import { expectThat, log } from './log';

const amountCents = 500;

/** Credits a student, repeats the request as after a lost response, and reads the wallet. */
export async function creditMerits(client: InstitutionClient, { loginEmail, personalEmail }: DemoStudent): Promise<void> {
  log(`Crediting ${amountCents} cents, twice under one ref`);
  const body = { email: loginEmail, amount_cents: amountCents, reason: 'Helped others', ref: `demo-${personalEmail}` };
  const first = await client.call('POST', '/merits/credits', { body });
  const again = await client.call('POST', '/merits/credits', { body });
  expectThat(first.applied && !again.applied, 'the second changes nothing');
  const { balance_cents } = await client.call('GET', '/merits/wallets/{email}', { path: { email: loginEmail } });
  expectThat(balance_cents === amountCents, `the wallet holds ${balance_cents} cents`);
}
