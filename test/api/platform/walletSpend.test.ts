import { openSession } from '../../../domain/signIn/sessions';
import { transact } from '../../../domain/transact';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { eventsDuring } from '../../support/events';
import { newRef, meritFixtureForEachTest, type WalletOwner } from '../../support/meritFixture';

const desk = meritFixtureForEachTest();
const { exams } = desk.apps;
let ada: WalletOwner;

beforeEach(async () => {
  await desk.setAllowance(100_000);
  ada = await desk.owner();
  await desk.creditSuccessfully({ email: ada.email, amount_cents: 1_000 });
});

describe('spending', () => {
  it("takes cents out of the student's own wallet, and tells what it holds then", async () => {
    const { status, data } = await desk.spend(ada, { amount_cents: 250, reason: 'Chat', ref: 'turn-1' });
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
    expect([await desk.balance(ada.email), await desk.remainingAllowance()]).toEqual([750, 99_000]);
  });

  it('emits nothing', async () => {
    expect(await eventsDuring(exams.api, desk.institution, () => desk.spend(ada))).toEqual([]);
  });

  it('again with the same body is answered as the first time with applied false, whatever has come since', async () => {
    const body = { amount_cents: 600, ref: 'turn' };
    const first = (await desk.spend(ada, body)).data;
    await desk.spend(ada, { amount_cents: 400 });
    expect((await desk.spend(ada, body)).data).toEqual({ ...first, applied: false });
    expect(await desk.balance(ada.email)).toBe(0);
  });

  it('of another amount or for another reason under the same ref is a conflict, and nothing moves', async () => {
    const body = { amount_cents: 10, reason: 'Chat', ref: 'turn' };
    await desk.spend(ada, body);
    const answers = await Promise.all([desk.spend(ada, { ...body, amount_cents: 11 }), desk.spend(ada, { ...body, reason: null })]);
    expect(answers.map(errorSummary)).toEqual(Array.from({ length: 2 }, () => [409, 'conflict']));
    expect(await desk.balance(ada.email)).toBe(990);
  });

  it('under a ref that another student has used is a spend of its own, repeated by each of them', async () => {
    const bob = await desk.owner();
    await desk.creditSuccessfully({ email: bob.email, amount_cents: 1_000 });
    const [byAda, byBob] = [{ amount_cents: 10, ref: 'turn' }, { amount_cents: 20, ref: 'turn' }];
    const first = await Promise.all([desk.spend(ada, byAda), desk.spend(bob, byBob)]);
    expect(first.map(({ data }) => [data.user_id, data.balance_cents, data.applied])).toEqual([[ada.id, 990, true], [bob.id, 980, true]]);
    const again = await Promise.all([desk.spend(ada, byAda), desk.spend(bob, byBob)]);
    expect(again.map(({ data }) => data)).toEqual(first.map(({ data }) => ({ ...data, applied: false })));
    expect([await desk.balance(ada.email), await desk.balance(bob.email)]).toEqual([990, 980]);
  });

  it('more than the wallet holds is a conflict, nothing moves, and the ref is free; all that it holds can be spent', async () => {
    const body = { amount_cents: 1_001, ref: 'dear' };
    expect(errorSummary(await desk.spend(ada, body))).toEqual([409, 'conflict']);
    expect(await desk.balance(ada.email)).toBe(1_000);
    await desk.creditSuccessfully({ email: ada.email, amount_cents: 1 });
    expect((await desk.spend(ada, body)).data).toMatchObject({ applied: true, balance_cents: 0 });
    expect(errorSummary(await desk.spend(ada, { amount_cents: 1 }))).toEqual([409, 'conflict']);
  });

  it('from a wallet that nobody ever filled is a conflict', async () => {
    const bob = await desk.owner();
    expect(errorSummary(await desk.spend(bob, { amount_cents: 1 }))).toEqual([409, 'conflict']);
    expect((await desk.get(`/merits/wallets/${bob.email}`)).data.moves).toEqual([]);
  });

  it('takes 1 to 100,000,000 whole cents and a ref', async () => {
    await desk.setAllowance(100_000_000);
    await desk.creditSuccessfully({ email: ada.email, amount_cents: 100_000_000 });
    for (const amount_cents of [1, 100_000_000]) expect((await desk.spend(ada, { amount_cents })).status).toBe(200);
    for (const amount_cents of [0, -1, 100_000_001, 1.5]) {
      expect(errorSummary(await desk.spend(ada, { amount_cents }))).toEqual([422, 'validation_error', ['amount_cents']]);
    }
    expect(errorSummary(await desk.apps.callAs(ada, 'POST', '/app/wallet/spend', {}))).toEqual([422, 'validation_error', ['amount_cents', 'ref']]);
  });

  it('by 20 calls at once stops where the wallet is empty', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.spend(ada, { amount_cents: 90, ref: newRef() })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    expect(answers.filter(({ status }) => status !== 200).map(errorSummary)).toEqual(Array.from({ length: 9 }, () => [409, 'conflict']));
    expect(await desk.balance(ada.email)).toBe(10);
  });

  it('20 times at once under one ref is applied once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.spend(ada, { ref: 'crowd' })));
    expect(answers.filter(({ data }) => data.applied)).toHaveLength(1);
    expect(await desk.balance(ada.email)).toBe(900);
  });

  it('is for students: an app of faculty is told forbidden, and whoever was suspended is signed out', async () => {
    const { token } = await transact(exams.api.api.domain, systemCaller(desk.institution.id), (tx) => openSession(tx, desk.institution.adminId, 'faculty'));
    expect(errorSummary(await desk.spend({ id: desk.institution.adminId, session: token }))).toEqual([403, 'forbidden']);
    await exams.call('POST', `/students/${ada.id}/suspend`);
    expect(errorSummary(await desk.spend(ada))).toEqual([401, 'unauthorized']);
    expect(await desk.balance(ada.email)).toBe(1_000);
  });
});
