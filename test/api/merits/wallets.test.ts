import { errorSummary } from '../../support/responses';
import { appFixture } from '../../support/appFixture';
import { meritCalls, type WalletOwner } from '../../support/meritCalls';

const fixture = appFixture();
const { api, institution, call } = fixture;
const { setAllowance, createOwner, get, creditSuccessfully, spend, createGuardian } = meritCalls(fixture);
let ada: WalletOwner;

beforeEach(async () => {
  await setAllowance(100_000);
  ada = await createOwner();
});

const wallet = (reference: string) => get(`/merits/wallets/${reference}`);

describe('a wallet', () => {
  // Contract: merits.wallets.one-per-user, merits.wallets.response
  it('is there, empty, before money ever moved; of students and of faculty', async () => {
    expect((await wallet(ada.email)).data).toEqual({ user_id: ada.id, email: ada.email, balance_cents: 0, moves: [] });
    expect((await wallet(institution.adminLoginEmail)).data).toMatchObject({ user_id: institution.adminId, balance_cents: 0, moves: [] });
  });

  // Contract: merits.wallets.balance-and-last-50-moves, merits.wallets.response
  it('shows for each move its kind, its sides, its amount and the balance after it', async () => {
    const credit = await creditSuccessfully({ email: ada.email, amount_cents: 700, reason: 'Prize', ref: 'in' });
    const spent = (await spend(ada, { amount_cents: 120, ref: 'out' })).data;
    expect((await wallet(ada.email)).data).toEqual({
      user_id: ada.id,
      email: ada.email,
      balance_cents: 580,
      moves: [
        { id: spent.id, kind: 'spend', from: 'wallet', to: 'models', amount_cents: 120, balance_cents: 580, reason: null, ref: 'out', batch_id: null, created_at: spent.created_at },
        { id: credit.id, kind: 'credit', from: 'allowance', to: 'wallet', amount_cents: 700, balance_cents: 700, reason: 'Prize', ref: 'in', batch_id: null, created_at: credit.created_at },
      ],
    });
  });

  // Contract: merits.wallets.balance-and-last-50-moves, merits.wallets.response, limits.wallet.last-50-moves
  it('shows the last 50 moves, newest first, and holds the sum of all', async () => {
    for (let nth = 1; nth <= 53; nth += 1) await creditSuccessfully({ email: ada.email, amount_cents: nth });
    const { data } = await wallet(ada.email);
    expect(data.balance_cents).toBe((53 * 54) / 2);
    expect(data.moves.map(({ amount_cents }: { amount_cents: number }) => amount_cents)).toEqual(Array.from({ length: 50 }, (_one, nth) => 53 - nth));
  });

  it('shows no moves of anybody else', async () => {
    const bob = await createOwner();
    await creditSuccessfully({ email: bob.email });
    expect((await wallet(ada.email)).data.moves).toEqual([]);
    expect((await wallet(bob.email)).data.moves).toHaveLength(1);
  });

  // Contract: merits.wallets.by-login-email
  it('is found by login email in any case, percent-encoded or not, and by internal id', async () => {
    await creditSuccessfully({ email: ada.email });
    const { data } = await wallet(ada.email);
    const names = [encodeURIComponent(ada.email), ada.email.toUpperCase(), encodeURIComponent(ada.email.toUpperCase()), ada.id];
    for (const name of names) expect((await wallet(name)).data).toEqual(data);
  });

  it('stays as it is while its owner is suspended', async () => {
    await creditSuccessfully({ email: ada.email });
    await call('POST', `/students/${ada.id}/suspend`);
    expect((await wallet(ada.email)).data.balance_cents).toBe(500);
  });

  it("is user_not_found where nobody is of that email, where they are another institution's, and of a guardian", async () => {
    const otherInstitution = await api.institution();
    const guardian = await createGuardian(ada.id);
    const answers = await Promise.all(
      ['student9.00000000@north.example', 'nobody', otherInstitution.adminLoginEmail, otherInstitution.adminId, guardian].map(wallet),
    );
    expect(answers.map(errorSummary)).toEqual(Array.from({ length: 5 }, () => [404, 'user_not_found']));
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
  });
});
