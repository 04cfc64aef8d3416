import { apiFixture } from '../../support/apiFixture';

const { api, institution, call } = apiFixture();

async function found(id: string): Promise<{ state: string | null; description: string | null }> {
  const { data: { items: [{ state, description }] } } = await api.platform('GET', '/search', { query: { q: id } });
  return { state, description };
}

it('the search says of a movement of merits its kind, its amount, what the wallet had after it, and its ref', async () => {
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  const { data: ada } = await call('POST', '/students', { full_name: 'Ada' });
  const { data: credit } = await call('POST', '/merits/credits', { email: ada.login_email, amount_cents: 500, reason: 'Prize', ref: 'prize-1' });
  expect(await found(credit.id)).toEqual({ state: 'credit', description: '500 cents, wallet then 500 cents, ref prize-1' });
});

it('the search says of a coupon batch its name', async () => {
  const { data: batch } = await call('POST', '/coupons/batches', { name: 'Science fair', total_coupons: 2, value_cents: 500, expiry_date: new Date(Date.now() + 86_400_000).toISOString() });
  expect(await found(batch.id)).toMatchObject({ description: 'Science fair' });
});
