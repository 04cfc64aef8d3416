import { institutionScope } from '../../../db/database';
import { findBatch } from '../../../db/repositories/coupons/batches';
import { insertCoupons } from '../../../db/repositories/coupons/coupons';
import { newCode } from '../../../domain/coupons/codes';
import { decideBatch } from '../../../domain/coupons/decideBatch';
import { redeemCoupon } from '../../../domain/coupons/redeemCoupon';
import { transact } from '../../../domain/transact';
import { systemCaller, type ApiResponse } from '../../support/api';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { expireBatchAt, seedCouponBatch, seedCoupons } from '../../support/seed/coupons';
import { eventsDuring } from '../../support/events';

const fixture = appFixture();
const { sql, call, callAs, signedInStudent } = fixture;

const coupons = (fields = {}) => seedCoupons(fixture.api, fixture.institution, fields);
const redeem = (who: SignedInStudent, code: unknown) => callAs(who, 'POST', '/app/wallet/redeem', { code });
const outcomes = (answers: readonly ApiResponse[]) => answers.map(({ status, body }) => [status, body.error]).sort();
const wallets = () => sql('SELECT user_id, balance_cents::int AS balance_cents FROM wallets WHERE institution_id = $1 AND balance_cents > 0', [fixture.institution.id]);
const moves = () => sql('SELECT kind, user_id, amount_cents::int AS amount_cents, batch_id, coupon_number FROM merit_moves WHERE institution_id = $1 ORDER BY created_at', [fixture.institution.id]);
const batch = async (id: string) => (await call('GET', `/coupons/batches/${id}`)).data;

// Contract: coupons.batches.get-response
it('a coupon comes into the wallet, out of its batch and not of the allowance', async () => {
  const who = await signedInStudent();
  const { id, codes: [code = ''] } = await coupons();
  const { status, data } = await redeem(who, code);
  expect([status, data]).toEqual([200, {
    id: expect.stringMatching(/^mov_/), batch_id: id, user_id: who.id, email: expect.stringContaining('@'), amount_cents: 500, balance_cents: 500, redeemed_at: expect.any(String),
  }]);
  expect(await wallets()).toEqual([{ user_id: who.id, balance_cents: 500 }]);
  expect(await moves()).toEqual([{ kind: 'coupon', user_id: who.id, amount_cents: 500, batch_id: id, coupon_number: 1 }]);
  const after = await batch(id);
  expect(after.redeemed_count).toBe(1);
  expect(after.codes[0]).toEqual({ code, redeemed_by: who.id, redeemed_at: data.redeemed_at });
  expect(after.codes.slice(1).every(({ redeemed_by }: { redeemed_by: string | null }) => redeemed_by === null)).toBe(true);
  expect((await redeem(who, (await coupons({ value_cents: 7 })).codes[0])).data.balance_cents).toBe(507);
});

// Contract: events.merits-credited.any-source, events.coupon-redeemed
it('redeeming emits merits.credited with source coupon, and coupon.redeemed', async () => {
  const who = await signedInStudent();
  const { id, codes: [code] } = await coupons();
  expect(await eventsDuring(fixture.api, fixture.institution, () => redeem(who, code))).toEqual([
    { type: 'merits.credited', data: { user_id: who.id, amount_cents: 500, balance_cents: 500, source: 'coupon', ref: null } },
    { type: 'coupon.redeemed', data: { batch_id: id, user_id: who.id, value_cents: 500 } },
  ]);
});

it('a code may be typed in any case, with blanks and hyphens', async () => {
  const who = await signedInStudent();
  const { codes: [one = '', other = ''] } = await coupons();
  expect((await redeem(who, ` ${one.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1-')} `)).status).toBe(200);
  expect((await redeem(who, other.replaceAll(/(.{4})(?=.)/g, '$1 '))).status).toBe(200);
});

it.each([['', 422], [null, 422], [5, 422], ['x'.repeat(65), 422], ['a\u0000b', 422], [undefined, 422], ['nonsense', 404], ['7CKR4MNX9TWA3HPF', 404], ["' OR 1=1 --", 404]])(
  'what is no code of the institution is refused: %j',
  async (code, expected) => {
    await coupons();
    expect((await redeem(await signedInStudent(), code)).status).toBe(expected);
  },
);

it('a code of another institution is answered like an unknown one', async () => {
  const who = await signedInStudent();
  const { codes: [foreign] } = await seedCoupons(fixture.api, await fixture.api.institution());
  const [one, other] = [await redeem(who, foreign), await redeem(who, newCode())];
  expect([one.status, one.body]).toEqual([404, other.body]);
});

it('a code that is made is unknown until the whole batch is approved', async () => {
  const { api, institution } = fixture;
  const id = await seedCouponBatch(api, institution);
  const code = newCode();
  await transact(api.api.domain, institution.caller, async (tx) => {
    await decideBatch(tx, id, 'approved', null);
    await insertCoupons(tx, id, [code], tx.now);
  });
  const who = await signedInStudent();
  expect((await redeem(who, code)).status).toBe(404);
  expect(await batch(id)).toMatchObject({ status: 'pending', codes: [] });
  await transact(api.api.domain, institution.caller, (tx) => insertCoupons(tx, id, [newCode(), newCode()], tx.now));
  expect((await redeem(who, code)).status).toBe(200);
});

it('a coupon is redeemed until its expiry date, and not from it on', async () => {
  const who = await signedInStudent();
  const { id, codes: [one = '', other = ''] } = await coupons();
  const end = new Date(Date.now() + 3_600_000);
  await expireBatchAt(fixture.api, id, end);
  const at = (now: Date, code: string) => transact(fixture.api.api.domain, systemCaller(fixture.institution.id, now), (tx) => redeemCoupon(tx, who.id, code));
  await expect(at(end, one)).rejects.toMatchObject({ code: 'conflict', message: 'This coupon has expired.' });
  expect((await at(new Date(end.getTime() - 1), other)).move.amount_cents).toBe(500);
  expect((await batch(id)).status).toBe('approved');
});

it('a redeemed coupon stays a conflict for everybody, and says whether it was the caller’s own, also after it would have expired', async () => {
  const [ada, grace] = [await signedInStudent(), await signedInStudent()];
  const { id, codes: [code] } = await coupons();
  await redeem(ada, code);
  await expireBatchAt(fixture.api, id, new Date());
  expect((await redeem(grace, code)).body).toMatchObject({ error: 'conflict', message: 'This coupon has been redeemed.' });
  expect((await redeem(ada, code)).body).toMatchObject({ error: 'conflict', message: 'The student has already redeemed this coupon.' });
  expect(await wallets()).toEqual([{ user_id: ada.id, balance_cents: 500 }]);
});

it('somebody suspended redeems nothing', async () => {
  const { api, institution } = fixture;
  const who = await signedInStudent();
  const { codes: [code = ''] } = await coupons();
  await call('POST', `/students/${who.id}/suspend`);
  expect((await redeem(who, code)).status).toBe(401);
  await expect(transact(api.api.domain, institution.caller, (tx) => redeemCoupon(tx, who.id, code))).rejects.toMatchObject({ code: 'user_inactive' });
  expect(await moves()).toEqual([]);
});

it.each([2, 20])('of %i who redeem one coupon at once one has it, and the others a conflict', async (many) => {
  const students = await Promise.all(Array.from({ length: many }, () => signedInStudent()));
  const { id, codes: [code] } = await coupons();
  const answers = await Promise.all(students.map((who) => redeem(who, code)));
  expect(outcomes(answers)).toEqual([[200, undefined], ...Array.from({ length: many - 1 }, () => [409, 'conflict'])]);
  const winner = students[answers.findIndex(({ status }) => status === 200)];
  expect(await wallets()).toEqual([{ user_id: winner?.id, balance_cents: 500 }]);
  expect(await moves()).toHaveLength(1);
  expect(await batch(id)).toMatchObject({ redeemed_count: 1 });
});

it('one student who sends a code ten times at once has it once', async () => {
  const who = await signedInStudent();
  const { codes: [code] } = await coupons();
  const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(who, code)));
  expect(outcomes(answers)).toEqual([[200, undefined], ...Array.from({ length: 9 }, () => [409, 'conflict'])]);
  expect(await wallets()).toEqual([{ user_id: who.id, balance_cents: 500 }]);
});

it('ten students who redeem ten coupons each, all at once, have them all', async () => {
  const students = await Promise.all(Array.from({ length: 10 }, () => signedInStudent()));
  const { id, codes } = await coupons({ total_coupons: 100, value_cents: 3 });
  const answers = await Promise.all(codes.map((code, nth) => redeem(students[nth % 10] ?? students[0] ?? { id: '', session: '' }, code)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await wallets()).map((wallet) => Reflect.get(wallet, 'balance_cents'))).toEqual(Array.from({ length: 10 }, () => 30));
  expect((await findBatch(institutionScope(fixture.api.api.domain.database, fixture.institution.id), id))?.redeemed_count).toBe(100);
});
