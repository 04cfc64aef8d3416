import { expireBatchAt, seedCouponBatch, seedCoupons } from '../../support/seed/coupons';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';

const { api, institution, sql, call, listAt } = apiFixture();

const pathOf = (id: string, verb = '') => `/institutions/${institution.id}/coupon-batches/${id}${verb === '' ? '' : `/${verb}`}`;
const decide = (id: string, verb: 'approve' | 'reject', body: object = {}) => api.platform('POST', pathOf(id, verb), { body });
const row = async (id: string) => (await sql('SELECT status, decision, decided_at, reason, updated_at FROM coupon_batches WHERE id = $1', [id]))[0];
const asAdmin = () => ({ headers: { 'x-actor': institution.adminId } });
const others = { approve: 'reject', reject: 'approve' } as const;
const verbs = [['approve', 'approved'], ['reject', 'rejected']] as const;

it('an approved batch stays pending until its codes are there, and keeps when and why it was decided', async () => {
  const id = await seedCouponBatch(api, institution);
  const { status, data } = await decide(id, 'approve', { reason: 'Agreed\nfor this term' });
  expect([status, data]).toEqual([200, expect.objectContaining({ id, status: 'pending', reason: 'Agreed\nfor this term', decided_at: expect.any(String), updated_at: data.decided_at, codes: [] })]);
});

it('a rejected batch is rejected at once', async () => {
  const id = await seedCouponBatch(api, institution);
  const { status, data } = await decide(id, 'reject', { reason: null });
  expect([status, data]).toEqual([200, expect.objectContaining({ id, status: 'rejected', reason: null, decided_at: expect.any(String), codes: [] })]);
});

it('neither decision emits anything: coupon.batch_approved comes with the codes', async () => {
  const [one, other] = [await seedCouponBatch(api, institution), await seedCouponBatch(api, institution)];
  expect(await eventsDuring(api, institution, () => Promise.all([decide(one, 'approve'), decide(other, 'reject')]))).toEqual([]);
});

describe.each(verbs)('%s', (verb, decision) => {
  it('once more is a no-op, for any reason given, also when the batch would have expired by then', async () => {
    const id = await seedCouponBatch(api, institution);
    await decide(id, verb, { reason: 'first' });
    const before = await row(id);
    expect((await decide(id, verb, { reason: 'second' })).status).toBe(200);
    await expireBatchAt(api, id, new Date(Date.now() - 1));
    expect((await decide(id, verb)).data).toMatchObject({ reason: 'first', status: decision === 'approved' ? 'pending' : 'rejected' });
    expect(await row(id)).toEqual(before);
  });

  it('after the other decision is a conflict that leaves it', async () => {
    const id = await seedCouponBatch(api, institution);
    await decide(id, others[verb]);
    const before = await row(id);
    const { status, body } = await decide(id, verb);
    expect([status, body.error]).toEqual([409, 'conflict']);
    expect(await row(id)).toEqual(before);
  });

  it('from the expiry date on is a conflict, though nobody has noted that it expired', async () => {
    const id = await seedCouponBatch(api, institution);
    await expireBatchAt(api, id, new Date());
    const { status, body } = await decide(id, verb);
    expect([status, body.error, body.message]).toEqual([409, 'conflict', `The batch is expired and can no longer be ${decision}.`]);
    expect(await row(id)).toMatchObject({ decision: null });
  });

  it('is forbidden to the institution\'s admin, and not found in another institution', async () => {
    const id = await seedCouponBatch(api, institution);
    const { status, body } = await api.platform('POST', pathOf(id, verb), { ...asAdmin(), body: {} });
    expect([status, body.error]).toEqual([403, 'forbidden']);
    const otherInstitution = await api.institution();
    const foreign = await api.platform('POST', `/institutions/${otherInstitution.id}/coupon-batches/${id}/${verb}`, { body: {} });
    const unknown = await api.platform('POST', `/institutions/${otherInstitution.id}/coupon-batches/cpb_unknown/${verb}`, { body: {} });
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    expect(await row(id)).toMatchObject({ decision: null });
  });

  it('goes on while the institution is suspended', async () => {
    const id = await seedCouponBatch(api, institution);
    await api.platform('POST', `/institutions/${institution.id}/suspend`);
    expect((await decide(id, verb)).status).toBe(200);
  });

  it.each([['too long', 'x'.repeat(1_001)], ['no text', 5], ['with control characters', 'a\u0000b']])('with a reason that is %s is a validation_error', async (_what, reason) => {
    const { status, body } = await decide(await seedCouponBatch(api, institution), verb, { reason });
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', 'reason']);
  });
});

it('of both decisions at once one is taken, and the other is a conflict', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await seedCouponBatch(api, institution);
    const [approved, rejected] = await Promise.all([decide(id, 'approve'), decide(id, 'reject')]);
    expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
    expect(await row(id)).toMatchObject({ decision: approved.status === 200 ? 'approved' : 'rejected' });
  }
});

it('platform and admin see the batches of an institution as the public API shows them', async () => {
  const waiting = await seedCouponBatch(api, institution);
  const { id } = await seedCoupons(api, institution);
  await seedCouponBatch(api, await api.institution());
  for (const sent of [{}, asAdmin()]) {
    const list = await api.platform('GET', `/institutions/${institution.id}/coupon-batches`, sent);
    expect(list.data).toEqual((await listAt('/coupons/batches', {})).data);
    expect(list.data.items.map((item: { id: string }) => item.id)).toEqual([id, waiting]);
    const one = await api.platform('GET', pathOf(id), sent);
    expect(one.data).toEqual((await call('GET', `/coupons/batches/${id}`)).data);
    expect(one.data.codes).toHaveLength(3);
  }
});

it('a batch of another institution is not found by either', async () => {
  const otherInstitution = await api.institution();
  const id = await seedCouponBatch(api, otherInstitution);
  for (const sent of [{}, asAdmin()]) {
    const { status, body } = await api.platform('GET', pathOf(id), sent);
    expect([status, body.error]).toEqual([404, 'not_found']);
  }
});
