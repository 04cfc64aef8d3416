import { searchAttributes } from '../../workflows/contract';
import type { couponBatchApproval } from '../../workflows/couponBatchApproval';
import { seedCouponBatch } from '../support/seed/coupons';
import { eventsOf } from '../support/events';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const wanted = { name: 'Sensitive fair', total_coupons: 3, value_cents: 500, expiry_date: new Date(Date.now() + 300 * 86_400_000).toISOString() };
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
const request = async (body: object = {}): Promise<string> => {
  const { status, data } = await api.call('POST', '/coupons/batches', { key: institution.apiKey, body: { ...wanted, ...body } });
  expect(status).toBe(200);
  return data.id;
};
const decide = (id: string, verb: 'approve' | 'reject') => api.platform('POST', `/institutions/${institution.id}/coupon-batches/${id}/${verb}`, { body: { reason: 'sensitive reason' } });
const read = async (id: string) => (await api.call('GET', `/coupons/batches/${id}`, { key: institution.apiKey })).data;
const workflowOf = (id: string) => fixture.temporal.client.workflow.getHandle<typeof couponBatchApproval>(id);
const started = (id: string) => eventually('the workflow', () => workflowOf(id).describe().catch(() => undefined));
const details = async (id: string) => (await workflowOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
const ended = async (id: string) => {
  await started(id);
  return workflowOf(id).result();
};
const approvals = async () => (await eventsOf(api, institution)).filter(({ type }) => type === 'coupon.batch_approved');

// Contract: coupons.batches.codes-after-approval, coupons.states.approved-by-platform-admin, coupons.states.codes-after-approval
// Contract: coupons.batches.get-response, events.coupon-batch-approved
it('makes the codes of a batch when it is approved, and then says that it is; the Web UI reads like a sentence', async () => {
  const id = await request();
  const { typedSearchAttributes } = await started(id);
  expect(typedSearchAttributes.get(searchAttributes.institutionId)).toBe(institution.id);
  await eventually('the sentence', async () => (await details(id)).startsWith('**3 coupons**, requested at '));
  expect(await details(id)).toMatch(new RegExp(`a decision is needed before ${wanted.expiry_date}\\. 0 reminders sent\\.$`));
  expect((await decide(id, 'approve')).status).toBe(200);
  expect(await ended(id)).toEqual({ outcome: 'approved', codes: 3 });
  const batch = await read(id);
  expect([batch.status, batch.codes.length]).toEqual(['approved', 3]);
  expect(await approvals()).toEqual([{ type: 'coupon.batch_approved', data: { batch_id: id, total_coupons: 3, value_cents: 500 } }]);
  expect(await details(id)).toBe('Approved; **3 codes** created.');
  expect((await workflowOf(id).describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('approved');
  const history = await historyText(workflowOf(id));
  expect(history).toContain(`Wait for a decision on ${id}, then create its codes`);
  for (const personal of ['Sensitive fair', 'sensitive reason', ...batch.codes.map(({ code }: { code: string }) => code)]) expect(history).not.toContain(personal);
  await recordHistory('couponBatchApproval', workflowOf(id));
  expect((await decide(id, 'approve')).data).toEqual(await read(id));
  expect((await decide(id, 'reject')).status).toBe(409);
});

it('makes no code of a batch that is rejected, and ends at once', async () => {
  const id = await request();
  await decide(id, 'reject');
  expect(await ended(id)).toEqual({ outcome: 'rejected', codes: 0 });
  expect(await details(id)).toBe('Rejected; no code of 3 coupons is created.');
  expect(await read(id)).toMatchObject({ status: 'rejected', reason: 'sensitive reason', codes: [] });
  expect(await approvals()).toEqual([]);
});

it('makes ten thousand codes, each once, with a history of a few events', async () => {
  const id = await request({ total_coupons: 10_000 });
  await started(id);
  await decide(id, 'approve');
  expect(await ended(id)).toEqual({ outcome: 'approved', codes: 10_000 });
  const { codes } = await read(id);
  expect(new Set(codes.map(({ code }: { code: string }) => code)).size).toBe(10_000);
  expect((await workflowOf(id).describe()).historyLength).toBeLessThan(100);
  expect(await approvals()).toHaveLength(1);
});

it('ends a batch that nobody decides when its expiry date comes', async () => {
  const id = await request({ expiry_date: soon(2_500) });
  expect(await ended(id)).toEqual({ outcome: 'expired', codes: 0 });
  const [row] = await api.api.domain.database.sql<{ status: string }>('SELECT status FROM coupon_batches WHERE id = $1', [id]);
  expect(row).toEqual({ status: 'expired' });
  expect((await decide(id, 'approve')).status).toBe(409);
  expect(await details(id)).toMatch(/^No decision before .*; no code of 3 coupons is created\.$/);
  await recordHistory('couponBatchApproval.expired', workflowOf(id));
});

it('lets an approval around the expiry date come before it or after, whole either way', async () => {
  // The first comes before the end and the last after it, however slow the machine is: as far from it as twenty requests take here.
  const begun = Date.now();
  await request();
  const lead = Math.max(1_500, 20 * (Date.now() - begun));
  const end = Date.now() + 3 * lead;
  const offsets = [-lead, ...Array.from({ length: 16 }, (_, nth) => (nth - 8) * 8), 500];
  const ids = await Promise.all(offsets.map(() => request({ expiry_date: new Date(end).toISOString() })));
  const answers = await Promise.all(
    ids.map(async (id, nth) => {
      await new Promise((resolve) => setTimeout(resolve, end + (offsets[nth] ?? 0) - Date.now()));
      return (await decide(id, 'approve')).status;
    }),
  );
  for (const [nth, id] of ids.entries()) {
    const outcome = answers[nth] === 200 ? 'approved' : 'expired';
    expect([answers[nth], await ended(id)]).toEqual([answers[nth] === 200 ? 200 : 409, { outcome, codes: outcome === 'approved' ? 3 : 0 }]);
    expect(await read(id)).toMatchObject({ status: outcome });
  }
  expect(await approvals()).toHaveLength(answers.filter((status) => status === 200).length);
  expect(new Set(answers)).toEqual(new Set([200, 409]));
});

it('of an approval and a rejection at once one is done, and the batch comes to that alone', async () => {
  const ids: string[] = [];
  for (let nth = 0; nth < 8; nth += 1) ids.push(await request());
  const approved = await Promise.all(
    ids.map(async (id) => {
      const [approval, rejection] = await Promise.all([decide(id, 'approve'), decide(id, 'reject')]);
      expect([approval.status, rejection.status].sort()).toEqual([200, 409]);
      return approval.status === 200;
    }),
  );
  for (const [nth, id] of ids.entries()) expect((await ended(id)).outcome).toBe(approved[nth] === true ? 'approved' : 'rejected');
  expect(await approvals()).toHaveLength(approved.filter(Boolean).length);
});

it('fails as UnknownBatch where Postgres has no such batch', async () => {
  const id = await seedCouponBatch(api, institution);
  await api.api.domain.database.sql('DELETE FROM coupon_batches WHERE id = $1', [id]);
  const { client, taskQueue } = fixture.temporal;
  const run = await client.workflow.start<typeof couponBatchApproval>('couponBatchApproval', { taskQueue, workflowId: id, args: [{ batchId: id, institutionId: institution.id }] });
  await expect(run.result()).rejects.toMatchObject({ cause: { cause: { type: 'UnknownBatch' } } });
});
