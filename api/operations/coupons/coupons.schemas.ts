import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { batchStatuses } from '../../../db/repositories/coupons/batches';
import { idParams, dateTime, paging, text, timestamp, timestampOrNull, wholeNumber } from '../../http/request/fields';
import { sinceDateTime } from '../../http/request/filters';

/** Limits of a batch in the contract; the table has the same constraints. */
const bounds = { coupons: { min: 1, max: 10_000 }, valueCents: { min: 1, max: 1_000_000 } } as const;

export const newBatchSchema = Joi.object({
  name: text(200).required().description('For people; need not be unique.').example('Science fair'),
  total_coupons: wholeNumber(bounds.coupons.min, bounds.coupons.max).required().description('How many codes are wanted.').example(100),
  value_cents: wholeNumber(bounds.valueCents.min, bounds.valueCents.max).required().description('What each coupon credits, in cents.').example(500),
  expiry_date: dateTime().required().description('In the future, ten years away at most. Undecided, the request expires then; the coupons of an approved one too.').example('2031-06-30T22:00:00Z'),
}).required();

const status = Joi.string()
  .valid(...batchStatuses)
  .required()
  .description('`pending` until a platform admin has decided and, once they have approved, the last code is made; `expired` when nobody decided before `expiry_date`.')
  .example('approved');

const batchFields = {
  id: Joi.string().required().example('cpb_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('Science fair'),
  total_coupons: Joi.number().integer().required().example(100),
  value_cents: Joi.number().integer().required().example(500),
  expiry_date: timestamp().required().description('From then on no coupon is redeemed.').example('2031-06-30T22:00:00.000Z'),
  status,
  reason: Joi.string().allow(null).required().description('The reason given with the decision; null without one.').example('Agreed for this term'),
  redeemed_count: Joi.number().integer().required().description('Coupons that have been redeemed.').example(1),
  decided_at: timestampOrNull('When it was approved or rejected.').example('2026-11-22T10:00:00.000Z'),
  created_at: timestamp().required().example('2026-11-22T09:00:00.000Z'),
  updated_at: timestamp().required().description('The last change of the batch itself; redemptions do not count.').example('2026-11-22T10:00:00.000Z'),
};

export const batchSummarySchema = Joi.object(batchFields).meta({ title: 'CouponBatchSummary' });
export type CouponBatchSummaryResponse = SchemaType<typeof batchSummarySchema>;

const couponSchema = Joi.object({
  code: Joi.string().required().example('7CKR4MNX9TWA3HPF'),
  redeemed_by: Joi.string().allow(null).required().description('Internal id of who redeemed it.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  redeemed_at: timestampOrNull('When it was redeemed.').example('2026-11-23T12:10:00.000Z'),
}).meta({ title: 'Coupon' });
export type CouponResponse = SchemaType<typeof couponSchema>;

export const batchSchema = Joi.object({
  ...batchFields,
  codes: Joi.array().items(couponSchema).required().description('All coupons of an `approved` batch; empty before. Lists of batches leave it out.'),
}).meta({ title: 'CouponBatch' });
export type CouponBatchResponse = SchemaType<typeof batchSchema>;

export const batchParams = idParams('A coupon batch.', 'cpb_01jd4k6f2mep2s5xg5yhc8m1zr');

export const redemptionQuery = Joi.object({
  since: sinceDateTime('Exclusive, of `redeemed_at`: pass the newest that you have seen, and none is missed or repeated.').example('2026-11-20T00:00:00Z'),
  ...paging,
});

export const redemptionSchema = Joi.object({
  batch_id: Joi.string().required().example('cpb_01jd4k6f2mep2s5xg5yhc8m1zr'),
  batch_name: Joi.string().required().example('Science fair'),
  code: Joi.string().required().example('7CKR4MNX9TWA3HPF'),
  user_id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  email: Joi.string().required().description('Login email.').example('student1.9f86d081@north.example'),
  value_cents: Joi.number().integer().required().example(500),
  redeemed_at: timestamp().required().example('2026-11-23T12:10:00.000Z'),
}).meta({ title: 'CouponRedemption' });
export type CouponRedemptionResponse = SchemaType<typeof redemptionSchema>;
