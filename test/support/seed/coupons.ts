import { insertBatch, type NewBatch } from '../../../db/repositories/coupons/batches';
import { listCoupons } from '../../../db/repositories/coupons/coupons';
import { institutionScope } from '../../../db/database';
import { decideBatch } from '../../../domain/coupons/decideBatch';
import { createCodes } from '../../../domain/coupons/createCodes';
import { newId } from '../../../domain/ids';
import { transact } from '../../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from '../api';

const defaultBatch: NewBatch = { name: 'Science fair', total_coupons: 3, value_cents: 500, expiry_date: new Date('2099-06-30T22:00:00Z') };

/** An undecided batch without a workflow; returns its id. */
export async function seedCouponBatch({ api }: TestApi, institution: TestInstitution, fields: Partial<NewBatch> = {}, now = new Date()): Promise<string> {
  const { id } = await transact(api.domain, systemCaller(institution.id, now), (tx) => insertBatch(tx, newId('cpb'), { ...defaultBatch, ...fields }, tx.now));
  return id;
}

/** An approved batch with its codes, made without a workflow. */
export async function seedCoupons(api: TestApi, institution: TestInstitution, fields: Partial<NewBatch> = {}): Promise<{ id: string; codes: string[] }> {
  const { domain } = api.api;
  const caller = systemCaller(institution.id);
  const id = await seedCouponBatch(api, institution, fields);
  await transact(domain, caller, (tx) => decideBatch(tx, id, 'approved', null));
  while ((await transact(domain, caller, (tx) => createCodes(tx, id)))?.status === 'pending');
  const coupons = await listCoupons(institutionScope(domain.database, institution.id), id);
  return { id, codes: coupons.map(({ code }) => code) };
}

/** Sets the expiry date of a batch, regardless of its request. */
export async function expireBatchAt({ api }: TestApi, id: string, expiryDate: Date): Promise<void> {
  await api.domain.database.sql('UPDATE coupon_batches SET expiry_date = $2 WHERE id = $1', [id, expiryDate]);
}
