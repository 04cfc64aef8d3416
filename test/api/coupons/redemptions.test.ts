import { appFixture } from '../../support/appFixture';
import { seedCoupons } from '../../support/seed/coupons';

const { api, institution, sql, call, listAt, signedInStudent, callAs } = appFixture();

const list = (query = {}) => listAt('/coupons/redemptions', query);
const codesIn = ({ data }: Awaited<ReturnType<typeof list>>) => data.items.map(({ code }: { code: string }) => code);

/** A student, and the codes that they have redeemed one after the other. */
async function redeemed(count: number) {
  const who = await signedInStudent();
  const { id, codes } = await seedCoupons(api, institution, { name: 'Prizes', total_coupons: count + 1 });
  const used = codes.slice(1);
  for (const code of used) expect((await callAs(who, 'POST', '/app/wallet/redeem', { code })).status).toBe(200);
  return { who, id, used };
}

// Contract: coupons.redemptions.response
it('shows who has redeemed what, newest first; unredeemed coupons are not listed', async () => {
  const { who, id, used: [first, second] } = await redeemed(2);
  const { status, data } = await list();
  const [{ login_email: email } = {}] = await sql<{ login_email?: string }>('SELECT login_email FROM institution_emails WHERE user_id = $1', [who.id]);
  const common = { batch_id: id, batch_name: 'Prizes', user_id: who.id, email, value_cents: 500, redeemed_at: expect.any(String) };
  expect([status, data]).toEqual([200, { items: [{ ...common, code: second }, { ...common, code: first }], page: 1, limit: 50, total: 2, has_more: false, next_cursor: null }]);
  const { codes } = (await call('GET', `/coupons/batches/${id}`)).data;
  expect(codes[2].redeemed_at).toBe(data.items[0].redeemed_at);
  const [move] = await sql<{ created_at: Date }>('SELECT created_at FROM merit_moves WHERE batch_id = $1 AND coupon_number = 3', [id]);
  expect(move?.created_at.toISOString()).toBe(data.items[0].redeemed_at);
});

// Contract: coupons.redemptions.query
it('since is exclusive: asking with the newest that was seen misses and repeats nothing', async () => {
  const { used } = await redeemed(3);
  const { data: { items } } = await list();
  expect(codesIn(await list({ since: items[1].redeemed_at }))).toEqual([used[2]]);
  expect(codesIn(await list({ since: items[0].redeemed_at }))).toEqual([]);
  expect(codesIn(await list({ since: '2020-01-01T00:00:00Z' }))).toHaveLength(3);
});

it('comes in pages, each coupon once', async () => {
  const { used } = await redeemed(5);
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ page, limit: 2 })));
  expect(pages.flatMap(codesIn)).toEqual([...used].reverse());
  expect(pages.map(({ data }) => [data.total, data.has_more])).toEqual([[5, true], [5, true], [5, false], [5, false]]);
});

it('of another institution are not there', async () => {
  await redeemed(1);
  const otherInstitution = await api.institution();
  expect((await call('GET', '/coupons/redemptions', undefined, otherInstitution)).data).toMatchObject({ items: [], total: 0 });
});
