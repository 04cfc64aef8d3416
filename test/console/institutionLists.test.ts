import { signInToConsole, type ConsoleSession } from '../support/console';
import { consoleFixture, escaped, hostile, rowIds, visibleText } from '../support/consoleFixture';
import { openSandboxOf } from '../support/sandboxes';
import { seedCouponBatch, seedCoupons } from '../support/seed/coupons';
import { addStaffMember } from '../support/staff';
import { minutesAgo } from '../support/time';

const { api, institution, sql } = consoleFixture();

let operator: ConsoleSession;

beforeAll(async () => {
  operator = await signInToConsole(api, (await addStaffMember(api, 'operator')).token);
});

const pathOf = (list: string): string => `/console/institutions/${institution.id}/${list}`;
const read = async (path: string): Promise<string> => (await operator.get(path)).text;
const olderOf = (text: string): string => (/href="([^"]+)">Older/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

describe('the coupon batches of an institution', () => {
  it('are one step from it, newest first, with name, value, status and times, and lead to their pages', async () => {
    const waiting = await seedCouponBatch(api, institution, { name: `Science week ${hostile}`, total_coupons: 40, value_cents: 500 }, minutesAgo(5));
    const { id: approved, codes } = await seedCoupons(api, institution);
    const other = await seedCouponBatch(api, await api.institution());
    expect(await read(`/console/institutions/${institution.id}`)).toContain(`href="${pathOf('coupon-batches')}">Coupon batches</a>`);
    const text = await read(pathOf('coupon-batches'));
    expect(rowIds(text)).toEqual([approved, waiting]);
    expect(visibleText(text)).toMatch(new RegExp(`Science fair ${approved} 3 of 500 cents each, 1,500 cents in all approved (now|\\d+ s ago) .+ (now|\\d+ s ago) .+ Science week .+ ${waiting} 40 of 500 cents each, 20,000 cents in all pending 5 min ago .+ –`));
    for (const id of [waiting, approved]) expect(text).toContain(`href="/console/search?q=${id}"`);
    expect([text.includes(escaped), text.includes(hostile), text.includes(other), codes.some((code) => text.includes(code))]).toEqual([true, false, false, false]);
  });

  it('come 50 a page, each once, and say where there are none', async () => {
    expect(await read(pathOf('coupon-batches'))).toContain('There are no coupon batches.');
    for (let number = 0; number < 51; number += 1) await seedCouponBatch(api, institution, {}, minutesAgo(number));
    const first = await read(pathOf('coupon-batches'));
    const second = await read(olderOf(first));
    expect([rowIds(first).length, rowIds(second).length, new Set([...rowIds(first), ...rowIds(second)]).size, olderOf(second)]).toEqual([50, 1, 51, '']);
    expect(second).toContain(`href="${pathOf('coupon-batches')}">Newest</a>`);
  });
});

describe('the keys of an institution', () => {
  it('are one step from it with those of its sandbox, newest first, with when each was used, to the minute, and revoked', async () => {
    const sandbox = await openSandboxOf(api, institution);
    const [test] = await sql<{ id: string }>('SELECT id FROM api_keys WHERE institution_id = $1', [sandbox.id]);
    await sql("UPDATE api_keys SET name = $2, last_used_at = '2026-01-05T10:20:45Z', revoked_at = $3, created_at = '2026-01-01' WHERE id = $1", [institution.keyId, `Nightly roster ${hostile}`, minutesAgo(5)]);
    expect(await read(`/console/institutions/${institution.id}`)).toContain(`href="${pathOf('keys')}">Keys</a>`);
    const text = await read(pathOf('keys'));
    expect(rowIds(text)).toEqual([test?.id, institution.keyId]);
    expect(visibleText(text)).toMatch(new RegExp(`${test?.id ?? ''} test svc_test_…\\w{4} active .+ Nightly roster .+ ${institution.keyId} live svc_live_…\\w{4} revoked \\d+ \\w+ ago 5 Jan 2026, 10:20 UTC .*5 min ago`));
    expect(text).toContain(`href="/console/search?q=${institution.keyId}"`);
    expect([text.includes(escaped), text.includes(hostile), text.includes(institution.apiKey)]).toEqual([true, false, false]);
  });

  it('come 50 a page, each once', async () => {
    await sql(
      `INSERT INTO api_keys (id, institution_id, environment, name, key_hash, prefix, last_four, scopes, rate_limit_per_min, created_by, created_at)
       SELECT id || n, institution_id, environment, name, sha256((id || n)::bytea), prefix, last_four, scopes, rate_limit_per_min, created_by, created_at - n * interval '1 minute' FROM api_keys, generate_series(1, 50) n WHERE id = $1`,
      [institution.keyId],
    );
    const first = await read(pathOf('keys'));
    const second = await read(olderOf(first));
    expect([rowIds(first).length, rowIds(second).length, new Set([...rowIds(first), ...rowIds(second)]).size]).toEqual([50, 1, 51]);
  });
});

it('coupon batches and keys are for operators, as their operations are: support has neither links nor pages', async () => {
  const support = await signInToConsole(api);
  expect((await support.get(`/console/institutions/${institution.id}`)).text).not.toMatch(/\/(coupon-batches|keys)"/);
  for (const [list, words] of [['coupon-batches', 'Only operators see the coupon batches of an institution.'], ['keys', 'Only operators see the keys of an institution.']] as const) {
    const { status, text } = await support.get(pathOf(list));
    expect([status, text.includes(`${words} (forbidden)`)]).toEqual([403, true]);
  }
});
