import { errorSummary } from '../../support/responses';
import { appFixture } from '../../support/appFixture';
import { meritCalls, amounts } from '../../support/meritCalls';

const fixture = appFixture();
const { api, institution, sql } = fixture;
const { get, setAllowance, createOwner, creditSuccessfully, spend, moveCount } = meritCalls(fixture);

const allowance = async () => {
  const { allowance_cents, granted_cents, credited_cents }: Record<string, number> = (await get('/merits/allowance')).data;
  expect(granted_cents).toBe(Number(allowance_cents) + Number(credited_cents));
  return [allowance_cents, granted_cents, credited_cents];
};
const kinds = async () => (await get('/merits/ledger')).data.items.map(amounts);

describe('the allowance', () => {
  it('is nothing, granted and credited nothing, before the platform sets one', async () => {
    expect(await allowance()).toEqual([0, 0, 0]);
  });

  // Contract: merits.allowance.drawn-by-credits, merits.allowance.response
  it('shows what is left, what was granted and what was credited', async () => {
    await setAllowance(5_000);
    expect(await allowance()).toEqual([5_000, 5_000, 0]);
    const ada = await createOwner();
    await creditSuccessfully({ email: ada.email, amount_cents: 1_200 });
    expect(await allowance()).toEqual([3_800, 5_000, 1_200]);
  });

  it('is drawn by credits alone, not by what is spent', async () => {
    await setAllowance(5_000);
    const ada = await createOwner();
    await creditSuccessfully({ email: ada.email, amount_cents: 1_200 });
    await spend(ada, { amount_cents: 900 });
    expect(await allowance()).toEqual([3_800, 5_000, 1_200]);
  });

  it('given with a new institution is granted', async () => {
    const domain = `${institution.id.slice(-10)}.allowed.example`;
    const body = { name: 'Allowed', login_domain: domain, admin_email: `office@${domain}`, admin_name: 'Ada Admin', allowance_cents: 777 };
    const { data } = await api.platform('POST', '/institutions', { body });
    const rows = await sql('SELECT kind, amount_cents::int, allowance_cents::int FROM merit_moves WHERE institution_id = $1', [data.id]);
    expect([data.allowance_cents, rows]).toEqual([777, [{ kind: 'grant', amount_cents: 777, allowance_cents: 777 }]]);
  });
});

describe('the platform', () => {
  it('sets what is left: more is granted, less is taken back, and what was credited stays', async () => {
    expect((await setAllowance(5_000)).data).toMatchObject({ id: institution.id, allowance_cents: 5_000 });
    const ada = await createOwner();
    await creditSuccessfully({ email: ada.email, amount_cents: 1_000 });
    await setAllowance(6_000);
    await setAllowance(500);
    expect(await allowance()).toEqual([500, 1_500, 1_000]);
    await setAllowance(0);
    expect(await allowance()).toEqual([0, 1_000, 1_000]);
    expect(await kinds()).toEqual([
      ['reclaim', 500, null, 0],
      ['reclaim', 5_500, null, 500],
      ['grant', 2_000, null, 6_000],
      ['credit', 1_000, 1_000, 4_000],
      ['grant', 5_000, null, 5_000],
    ]);
  });

  it('moves nothing where it is as wanted: the call may be repeated', async () => {
    for (let nth = 0; nth < 3; nth += 1) expect((await setAllowance(100)).status).toBe(200);
    expect(await moveCount()).toBe(1);
  });

  it('sets 0 to 1,000,000,000,000 whole cents', async () => {
    expect((await setAllowance(1_000_000_000_000)).data.allowance_cents).toBe(1_000_000_000_000);
    for (const cents of [-1, 1_000_000_000_001, 0.5]) expect(errorSummary(await setAllowance(cents))).toEqual([422, 'validation_error', ['allowance_cents']]);
    const empty = await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: {} });
    expect(errorSummary(empty)).toEqual([422, 'validation_error', ['allowance_cents']]);
  });

  it('sets that of a pending or suspended institution, too', async () => {
    await api.platform('POST', `/institutions/${institution.id}/suspend`);
    expect((await setAllowance(100)).data).toMatchObject({ status: 'suspended', allowance_cents: 100 });
  });

  it('is not_found for an unknown institution', async () => {
    expect(errorSummary(await setAllowance(1, { ...institution, id: 'ins_01jd4k6f2mep2s5xg5yhc8m1zz' }))).toEqual([404, 'not_found']);
  });

  it('that sets it twice at once leaves one of both, and a ledger that says how', async () => {
    await Promise.all([setAllowance(300), setAllowance(800), setAllowance(800)]);
    expect([300, 800]).toContain((await allowance())[0]);
    expect(await moveCount()).toBeLessThanOrEqual(3);
  });
});
