import { creditWallet } from '../../../domain/merits/creditWallet';
import { setAllowance } from '../../../domain/merits/setAllowance';
import { spendMerits } from '../../../domain/merits/spendMerits';
import { transact } from '../../../domain/transact';
import { systemCaller, type TestInstitution } from '../../support/api';
import { seedStudents } from '../../support/seed/students';
import { apiFixture, institutionFor } from '../../support/apiFixture';

const fixture = apiFixture();
const { api } = fixture;
const otherInstitution = institutionFor(api, 'test');
let ada: string;

const as = <Result>(institution: TestInstitution, work: Parameters<typeof transact<Result>>[2]) => transact(api.api.domain, systemCaller(institution.id), work);

/** Three moves of the allowance (grant 1,000, credit 300, reclaim 100) and two of the wallet (credit 300, spend 50). */
beforeEach(async () => {
  [ada = ''] = await seedStudents(api, fixture.institution, 1);
  await as(fixture.institution, (tx) => setAllowance(tx, 1_000));
  await as(fixture.institution, (tx) => creditWallet(tx, { email: ada, amount_cents: 300, ref: 'c' }));
  await as(fixture.institution, (tx) => spendMerits(tx, ada, { amount_cents: 50, ref: 's' }));
  await as(fixture.institution, (tx) => setAllowance(tx, 600));
});

/** Everything of the institution's money, as it stands. */
const money = () =>
  as(fixture.institution, async ({ sql }) => [
    await sql('SELECT * FROM merit_moves WHERE institution_id = $1 ORDER BY created_at', [fixture.institution.id]),
    await sql('SELECT * FROM allowances WHERE institution_id = $1', [fixture.institution.id]),
    await sql('SELECT * FROM wallets WHERE institution_id = $1', [fixture.institution.id]),
  ]);

/** The class of an integrity violation, by the name of what was violated; requires an unchanged ledger. */
async function refusedBy(...statements: string[]): Promise<unknown> {
  const before = await money();
  const values = { $institution: fixture.institution.id, $otherInstitution: otherInstitution.id, $ada: ada };
  const text = (statement: string): string => Object.entries(values).reduce((sql, [name, value]) => sql.replaceAll(name, `'${value}'`), statement);
  // As the platform, which no policy binds: what refuses is the constraint.
  const found: unknown = await as(fixture.institution, async ({ platform }) => {
    for (const statement of statements) await platform.sql(text(statement));
    await platform.sql('SET CONSTRAINTS ALL IMMEDIATE');
  }).then(() => 'nothing', (error: unknown) => error);
  expect(await money()).toEqual(before);
  return found instanceof Error && 'constraint' in found && 'code' in found && String(found.code).startsWith('23') ? found.constraint : found;
}

/** A move of one's own making. Those of the ledger carry the allowance's numbers 1 to 3 and the wallet's 1 and 2. */
const move = (fields: Record<string, string | number>): string => {
  const row = { id: "'mov_x'", institution_id: '$institution', created_at: "'2099-01-01'", ...fields };
  return `INSERT INTO merit_moves (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
};
const kindOf = (kind: string, from: string, to: string) => ({ kind: `'${kind}'`, from_account: `'${from}'`, to_account: `'${to}'` });
const grant = kindOf('grant', 'platform', 'allowance');
const credit = { ...kindOf('credit', 'allowance', 'wallet'), user_id: '$ada', ref: "'x'" };
const spend = { ...kindOf('spend', 'wallet', 'models'), user_id: '$ada', ref: "'x'" };
const allowanceSide = (allowance_number: number, allowance_cents: number, allowance_credited = 300) => ({ allowance_number, allowance_cents, allowance_credited });
const walletSide = (wallet_number: number, wallet_cents: number) => ({ wallet_number, wallet_cents });

describe('Postgres refuses', () => {
  it.each([
    ["an allowance that is not its newest move's", 'UPDATE allowances SET balance_cents = 601 WHERE institution_id = $institution', 'allowances_ledger'],
    ['a sum of credits that is not that of the moves', 'UPDATE allowances SET credited_cents = 301 WHERE institution_id = $institution', 'allowances_ledger'],
    ["a wallet that is not its newest move's", 'UPDATE wallets SET balance_cents = 251 WHERE user_id = $ada', 'wallets_ledger'],
    ['an allowance below zero', 'UPDATE allowances SET balance_cents = -1 WHERE institution_id = $institution', 'allowances_balance_cents_check'],
    ['a wallet below zero', 'UPDATE wallets SET balance_cents = -1 WHERE user_id = $ada', 'wallets_balance_cents_check'],
    ['an allowance that holds something without a move', 'UPDATE allowances SET last_number = NULL WHERE institution_id = $institution', 'allowances_check'],
    ['a wallet that holds something without a move', 'UPDATE wallets SET last_number = NULL WHERE user_id = $ada', 'wallets_check'],
    ['another amount of a move', "UPDATE merit_moves SET amount_cents = 301 WHERE ref = 'c' AND institution_id = $institution", /^merit_moves_/],
    ['another balance of a move', "UPDATE merit_moves SET wallet_cents = 299 WHERE ref = 'c' AND institution_id = $institution", /^merit_moves_/],
    ['that a move goes that others follow', "DELETE FROM merit_moves WHERE ref = 'c' AND institution_id = $institution", /^merit_moves_/],
    ['that the newest move of a wallet goes', "DELETE FROM merit_moves WHERE ref = 's' AND institution_id = $institution", 'wallets_ledger'],
    ['that the newest move of the allowance goes', "DELETE FROM merit_moves WHERE kind = 'reclaim' AND institution_id = $institution", 'allowances_ledger'],
  ])('%s', async (_what, statement, constraint) => {
    expect(await refusedBy(statement)).toEqual(typeof constraint === 'string' ? constraint : expect.stringMatching(constraint));
  });

  it.each([
    ['adds up wrong at the allowance', { ...grant, amount_cents: 10, ...allowanceSide(4, 611) }, 'merit_moves_allowance_chain'],
    ['adds up wrong at the wallet', { ...spend, amount_cents: 10, ...walletSide(3, 239) }, 'merit_moves_wallet_chain'],
    ['makes a credit of nothing at the wallet', { ...credit, amount_cents: 10, ...allowanceSide(4, 590, 310), ...walletSide(3, 250) }, 'merit_moves_wallet_chain'],
    ['is credited without being counted', { ...credit, amount_cents: 10, ...allowanceSide(4, 590), ...walletSide(3, 260) }, 'merit_moves_allowance_chain'],
    ['is counted as credited without being so', { ...grant, amount_cents: 10, ...allowanceSide(4, 610, 310) }, 'merit_moves_allowance_chain'],
    ['leaves a gap', { ...grant, amount_cents: 10, ...allowanceSide(5, 610) }, 'merit_moves_allowance_chain'],
    ['takes the place of another', { ...grant, amount_cents: 100, ...allowanceSide(3, 800) }, 'merit_moves_allowance_number'],
    ['begins the ledger again', { ...grant, amount_cents: 10, ...allowanceSide(1, 10, 0) }, 'merit_moves_allowance_number'],
    ['takes the place of another in the wallet', { ...spend, amount_cents: 20, ...walletSide(2, 280) }, 'merit_moves_wallet_number'],
    ['draws the allowance below zero', { ...kindOf('reclaim', 'allowance', 'platform'), amount_cents: 601, ...allowanceSide(4, -1) }, 'merit_moves_allowance_cents_check'],
    ['draws the wallet below zero', { ...spend, amount_cents: 251, ...walletSide(3, -1) }, 'merit_moves_wallet_cents_check'],
    ['moves nothing', { ...grant, amount_cents: 0, ...allowanceSide(4, 600) }, 'merit_moves_amount_cents_check'],
    ['moves backwards', { ...grant, amount_cents: -10, ...allowanceSide(4, 590) }, 'merit_moves_amount_cents_check'],
    ['has one side of two', { ...credit, amount_cents: 10, ...allowanceSide(4, 590, 310) }, /^merit_moves_check/],
    ['goes between accounts that its kind does not', { ...spend, to_account: "'allowance'", amount_cents: 10, ...allowanceSide(4, 610), ...walletSide(3, 240) }, /^merit_moves_check/],
    ['is of a kind that there is not', { ...kindOf('gift', 'platform', 'wallet'), user_id: '$ada', amount_cents: 10, ...walletSide(3, 260) }, /^merit_moves_check/],
    ['bears the ref of another spend of its wallet', { ...spend, ref: "'s'", amount_cents: 10, ...walletSide(3, 240) }, 'merit_moves_ref_of_wallet'],
    ['bears the ref of another credit of the institution', { ...credit, ref: "'c'", amount_cents: 10, ...allowanceSide(4, 590, 310), ...walletSide(3, 260) }, /^merit_moves_ref_of_/],
    ['is a spend without a ref', { ...spend, ref: 'NULL', amount_cents: 10, ...walletSide(3, 240) }, /^merit_moves_check/],
    ['pays a coupon that there is not', { ...kindOf('coupon', 'coupons', 'wallet'), user_id: '$ada', amount_cents: 10, ...walletSide(3, 260), batch_id: "'cpb_x'", coupon_number: 1 }, 'merit_moves_institution_id_batch_id_coupon_number_fkey'],
    ["is another institution's than its wallet", { ...spend, institution_id: '$otherInstitution', amount_cents: 10, ...walletSide(3, 240) }, 'merit_moves_wallet_of_institution'],
    ['bears the time of another', { ...grant, created_at: "(SELECT max(created_at) FROM merit_moves WHERE institution_id = $institution)", amount_cents: 10, ...allowanceSide(4, 610) }, 'merit_moves_institution_id_created_at_key'],
  ])('a move that %s', async (_what, fields, constraint) => {
    expect(await refusedBy(move(fields))).toEqual(typeof constraint === 'string' ? constraint : expect.stringMatching(constraint));
  });

  it('a move that nobody points to is one that the next move trips over', async () => {
    const unseen = move({ ...grant, amount_cents: 10, ...allowanceSide(4, 610) });
    await as(fixture.institution, ({ sql }) => sql(unseen.replaceAll('$institution', `'${fixture.institution.id}'`).replace('mov_x', `mov_${fixture.institution.id.slice(4)}`)));
    await expect(as(fixture.institution, (tx) => setAllowance(tx, 700))).rejects.toMatchObject({ code: '23505' });
  });
});
