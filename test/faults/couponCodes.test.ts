import { newCode } from '../../domain/coupons/codes';
import { transact } from '../../domain/transact';
import type { couponBatchApproval } from '../../workflows/couponBatchApproval';
import { systemCaller } from '../support/api';
import { apiFixture } from '../support/apiFixture';
import { eventsOf } from '../support/events';
import { eventually } from '../support/eventually';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const total = 10_000;
/** The worker is killed when it has made so many. */
const before = 4_500;

const fixture = apiFixture();
const { api, institution, call } = fixture;
let programs: Programs;
let worker: Program;

beforeAll(async () => {
  programs = openPrograms();
  worker = await programs.worker(api.settings);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
});

it('a worker that is killed in the middle of making codes changes nothing: each is made once, and shown when all are there', async () => {
  const { data: { id } } = await call('POST', '/coupons/batches', { name: 'Fair', total_coupons: total, value_cents: 500, expiry_date: new Date(Date.now() + 300 * 86_400_000).toISOString() });
  const run = openTestTemporal(api.settings).client.workflow.getHandle<typeof couponBatchApproval>(id);
  await eventually('the run', () => run.describe().catch(() => undefined));
  const made = async (sql = fixture.sql) => (await sql<{ codes_made: number }>('SELECT codes_made FROM coupon_batches WHERE id = $1', [id]))[0]?.codes_made ?? 0;
  await transact(api.api.domain, systemCaller(institution.id), async ({ sql }) => {
    // This transaction has the next number until it ends: the worker is killed in the middle of its work, however slow the machine is.
    await sql('INSERT INTO coupons (batch_id, number, institution_id, code) VALUES ($1, $2, $3, $4)', [id, before + 1, institution.id, newCode()]);
    expect((await api.platform('POST', `/institutions/${institution.id}/coupon-batches/${id}/approve`, { body: {} })).status).toBe(200);
    await eventually('a part of the codes', async () => (await made(sql)) === before);
    await worker.kill();
    await sql('DELETE FROM coupons WHERE batch_id = $1 AND number = $2', [id, before + 1]);
  });
  expect((await call('GET', `/coupons/batches/${id}`)).data).toMatchObject({ status: 'pending', codes: [] });
  const codesBefore = await fixture.sql('SELECT number, code FROM coupons WHERE batch_id = $1 ORDER BY number', [id]);
  expect(codesBefore).toHaveLength(before);

  worker = await programs.worker(api.settings);
  // What the killed one held, a workflow task or an activity, is taken up within 15 s; a slow machine has longer.
  await eventually('all codes', async () => (await made()) === total);
  expect(await run.result()).toEqual({ outcome: 'approved', codes: total });
  const { status, codes } = (await call('GET', `/coupons/batches/${id}`)).data;
  expect([status, new Set(codes.map(({ code }: { code: string }) => code)).size]).toEqual(['approved', total]);
  expect(await fixture.sql('SELECT number, code FROM coupons WHERE batch_id = $1 AND number <= $2 ORDER BY number', [id, before])).toEqual(codesBefore);
  expect((await eventsOf(api, institution)).filter(({ type }) => type === 'coupon.batch_approved')).toHaveLength(1);
  expect((await run.describe()).historyLength).toBeLessThan(100);
});
