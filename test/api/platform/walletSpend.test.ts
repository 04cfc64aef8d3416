import { openSession } from '../../../domain/signIn/sessions';
import { transact } from '../../../domain/transact';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { eventsDuring } from '../../support/events';
import { appFixture } from '../../support/appFixture';
import { meritCalls, newRef, type WalletOwner } from '../../support/meritCalls';

const fixture = appFixture();
const { api, institution, call, callAs } = fixture;
const { setAllowance, createOwner, creditSuccessfully, spend, balance, remainingAllowance, get } = meritCalls(fixture);
let ada: WalletOwner;

beforeEach(async () => {
  await setAllowance(100_000);
  ada = await createOwner();
  await creditSuccessfully({ email: ada.email, amount_cents: 1_000 });
});

describe('spending', () => {
  it("takes cents out of the student's own wallet, and returns the new balance", async () => {
    const { status, data } = await spend(ada, { amount_cents: 250, reason: 'Chat', ref: 'turn-1' });
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^mov_/),
      email: ada.email,
      user_id: ada.id,
      amount_cents: 250,
      balance_cents: 750,
      reason: 'Chat',
      ref: 'turn-1',
      applied: true,
      created_at: expect.any(String),
    });
    expect([await balance(ada.email), await remainingAllowance()]).toEqual([750, 99_000]);
  });

  it('emits nothing', async () => {
    expect(await eventsDuring(api, institution, () => spend(ada))).toEqual([]);
  });

  it('again with the same body is answered as the first time with applied false, regardless of later moves', async () => {
    const body = { amount_cents: 600, ref: 'turn' };
    const first = (await spend(ada, body)).data;
    await spend(ada, { amount_cents: 400 });
    expect((await spend(ada, body)).data).toEqual({ ...first, applied: false });
    expect(await balance(ada.email)).toBe(0);
  });

  it('of another amount or for another reason under the same ref is a conflict, and nothing moves', async () => {
    const body = { amount_cents: 10, reason: 'Chat', ref: 'turn' };
    await spend(ada, body);
    const answers = await Promise.all([spend(ada, { ...body, amount_cents: 11 }), spend(ada, { ...body, reason: null })]);
    expect(answers.map(errorSummary)).toEqual(Array.from({ length: 2 }, () => [409, 'conflict']));
    expect(await balance(ada.email)).toBe(990);
  });

  it('under a ref that another student has used is a spend of its own, repeated by each of them', async () => {
    const bob = await createOwner();
    await creditSuccessfully({ email: bob.email, amount_cents: 1_000 });
    const [byAda, byBob] = [{ amount_cents: 10, ref: 'turn' }, { amount_cents: 20, ref: 'turn' }];
    const first = await Promise.all([spend(ada, byAda), spend(bob, byBob)]);
    expect(first.map(({ data }) => [data.user_id, data.balance_cents, data.applied])).toEqual([[ada.id, 990, true], [bob.id, 980, true]]);
    const again = await Promise.all([spend(ada, byAda), spend(bob, byBob)]);
    expect(again.map(({ data }) => data)).toEqual(first.map(({ data }) => ({ ...data, applied: false })));
    expect([await balance(ada.email), await balance(bob.email)]).toEqual([990, 980]);
  });

  it('more than the wallet holds is a conflict, nothing moves, and the ref is free; all that it holds can be spent', async () => {
    const body = { amount_cents: 1_001, ref: 'dear' };
    expect(errorSummary(await spend(ada, body))).toEqual([409, 'conflict']);
    expect(await balance(ada.email)).toBe(1_000);
    await creditSuccessfully({ email: ada.email, amount_cents: 1 });
    expect((await spend(ada, body)).data).toMatchObject({ applied: true, balance_cents: 0 });
    expect(errorSummary(await spend(ada, { amount_cents: 1 }))).toEqual([409, 'conflict']);
  });

  it('from a wallet that nobody ever filled is a conflict', async () => {
    const bob = await createOwner();
    expect(errorSummary(await spend(bob, { amount_cents: 1 }))).toEqual([409, 'conflict']);
    expect((await get(`/merits/wallets/${bob.email}`)).data.moves).toEqual([]);
  });

  it('takes 1 to 100,000,000 whole cents and a ref', async () => {
    await setAllowance(100_000_000);
    await creditSuccessfully({ email: ada.email, amount_cents: 100_000_000 });
    for (const amount_cents of [1, 100_000_000]) expect((await spend(ada, { amount_cents })).status).toBe(200);
    for (const amount_cents of [0, -1, 100_000_001, 1.5]) {
      expect(errorSummary(await spend(ada, { amount_cents }))).toEqual([422, 'validation_error', ['amount_cents']]);
    }
    expect(errorSummary(await callAs(ada, 'POST', '/app/wallet/spend', {}))).toEqual([422, 'validation_error', ['amount_cents', 'ref']]);
  });

  it('by 20 calls at once stops where the wallet is empty', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(ada, { amount_cents: 90, ref: newRef() })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    expect(answers.filter(({ status }) => status !== 200).map(errorSummary)).toEqual(Array.from({ length: 9 }, () => [409, 'conflict']));
    expect(await balance(ada.email)).toBe(10);
  });

  it('20 times at once under one ref is applied once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(ada, { ref: 'crowd' })));
    expect(answers.filter(({ data }) => data.applied)).toHaveLength(1);
    expect(await balance(ada.email)).toBe(900);
  });

  it('is for students: an app of faculty gets forbidden, and a suspended student is signed out', async () => {
    const { token } = await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, institution.adminId, 'faculty'));
    expect(errorSummary(await spend({ id: institution.adminId, session: token }))).toEqual([403, 'forbidden']);
    await call('POST', `/students/${ada.id}/suspend`);
    expect(errorSummary(await spend(ada))).toEqual([401, 'unauthorized']);
    expect(await balance(ada.email)).toBe(1_000);
  });
});
