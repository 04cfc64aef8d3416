import { apiFixture } from '../../support/apiFixture';
import { isoInDays } from '../../support/time';
import { expireBatchAt, seedCouponBatch, seedCoupons } from '../../support/seed/coupons';
import { eventsDuring } from '../../support/events';

const { api, institution, call, listAt } = apiFixture();

const wanted = { name: 'Science fair', total_coupons: 100, value_cents: 500, expiry_date: isoInDays(300) };
const request = (body: object = {}) => call('POST', '/coupons/batches', { ...wanted, ...body });
const read = async (id: string) => (await call('GET', `/coupons/batches/${id}`)).data;
const list = (query = {}) => listAt('/coupons/batches', query);

// Contract: service.purpose.request-coupon-batches, coupons.batches.input-fields, coupons.batches.request-body, coupons.batches.request-response
it('a request waits for a decision, without codes', async () => {
  const { status, data } = await request();
  expect([status, data]).toEqual([200, {
    id: expect.stringMatching(/^cpb_[0-9a-z]{26}$/), name: 'Science fair', total_coupons: 100, value_cents: 500, expiry_date: wanted.expiry_date,
    status: 'pending', reason: null, redeemed_count: 0, decided_at: null, created_at: expect.any(String), updated_at: data.created_at, codes: [],
  }]);
  expect(await read(data.id)).toEqual(data);
});

// Contract: coupons.states.requested, events.coupon-batch-requested
it('a request emits coupon.batch_requested', async () => {
  const events = await eventsDuring(api, institution, () => request());
  const { data: { items: [{ id }] } } = await list();
  expect(events).toEqual([{ type: 'coupon.batch_requested', data: { batch_id: id, total_coupons: 100, value_cents: 500 } }]);
});

// Contract: coupons.batches.input-fields, coupons.batches.request-body
it.each([
  ['name', ''], ['name', 'x'.repeat(201)], ['name', 'two\nlines'], ['name', null],
  ['total_coupons', 0], ['total_coupons', 10_001], ['total_coupons', 1.5], ['total_coupons', '5'],
  ['value_cents', 0], ['value_cents', 1_000_001], ['value_cents', 1.5],
  ['expiry_date', 'tomorrow'], ['expiry_date', '2099-06-30'], ['expiry_date', '2020-01-01T00:00:00Z'], ['expiry_date', null],
])('a request whose %s is %j is a validation_error that names it', async (field, value) => {
  const { status, body } = await request({ [field]: value });
  expect([status, body.error, body.issues.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', [field]]);
});

it('the bounds themselves are taken', async () => {
  expect((await request({ name: 'x', total_coupons: 1, value_cents: 1, expiry_date: new Date(Date.now() + 60_000).toISOString() })).status).toBe(200);
  expect((await request({ name: 'x'.repeat(200), total_coupons: 10_000, value_cents: 1_000_000 })).status).toBe(200);
});

it('an expiry date that is now or has just been is a validation_error', async () => {
  const { status, body } = await request({ expiry_date: new Date(Date.now() - 1).toISOString() });
  expect([status, body.issues]).toEqual([422, [{ path: 'expiry_date', message: expect.stringMatching(/^expiry_date must be in the future: it is \d{4}-\S+Z now$/) }]]);
});

it('an expiry date is ten years away at most', async () => {
  expect((await request({ expiry_date: isoInDays(3_650) })).status).toBe(200);
  const { status, body } = await request({ expiry_date: isoInDays(3_660) });
  expect([status, body.issues]).toEqual([422, [{ path: 'expiry_date', message: 'expiry_date must be within ten years' }]]);
});

it('a hundred batches of an institution wait for a decision at most, also of requests at once; a decision makes room', async () => {
  const ids = await Promise.all(Array.from({ length: 97 }, () => seedCouponBatch(api, institution)));
  await seedCoupons(api, institution);
  await expireBatchAt(api, await seedCouponBatch(api, institution), new Date());
  const answers = await Promise.all(Array.from({ length: 6 }, () => request()));
  expect(answers.map(({ status, body }) => (status === 200 ? 200 : body.error)).sort()).toEqual([200, 200, 200, 'conflict', 'conflict', 'conflict']);
  await api.platform('POST', `/institutions/${institution.id}/coupon-batches/${ids[0] ?? ''}/reject`, { body: {} });
  expect((await request()).status).toBe(200);
});

// Contract: coupons.batches.request-body
it('what is left out is named, each', async () => {
  const { body } = await call('POST', '/coupons/batches', {});
  expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(['name', 'total_coupons', 'value_cents', 'expiry_date']);
});

// Contract: coupons.batches.list-response
it('batches are listed newest first, in pages, without their codes', async () => {
  const { id: first } = await seedCoupons(api, institution);
  const second = await seedCouponBatch(api, institution);
  const { data } = await list();
  expect(data.items.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([[second, 'pending'], [first, 'approved']]);
  expect(data.items.some((item: object) => 'codes' in item)).toBe(false);
  expect(data).toMatchObject({ page: 1, limit: 50, total: 2, has_more: false });
  expect((await list({ limit: 1, page: 2 })).data).toMatchObject({ items: [{ id: first }], total: 2, has_more: false });
});

it('an undecided batch is expired from the very moment on, though nobody has noted it', async () => {
  const id = await seedCouponBatch(api, institution);
  await expireBatchAt(api, id, new Date(Date.now() - 1));
  expect((await read(id)).status).toBe('expired');
  expect((await list()).data.items[0].status).toBe('expired');
});

// Contract: coupons.batches.codes-after-approval, coupons.batches.get-response
it('an approved batch shows all of its codes, in one order', async () => {
  const { id, codes } = await seedCoupons(api, institution, { total_coupons: 1_001 });
  const batch = await read(id);
  expect(batch.status).toBe('approved');
  expect(batch.codes).toEqual(codes.map((code) => ({ code, redeemed_by: null, redeemed_at: null })));
  expect(new Set(codes).size).toBe(1_001);
});
