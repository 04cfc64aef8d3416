import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { text, timestamp } from '../../http/request/fields';

/** A code as a student types it. */
export const typedCode = text(64).required().description('As it was typed: in any case, with or without blanks and hyphens.').example('7CKR-4MNX-9TWA-3HPF');

export const redeemRequestSchema = Joi.object({ code: typedCode }).required();

export const redeemedSchema = Joi.object({
  id: Joi.string().required().description('The move, as the ledger has it.').example('mov_01jd4k6f2mep2s5xg5yhc8m1zr'),
  batch_id: Joi.string().required().example('cpb_01jd4k6f2mep2s5xg5yhc8m1zr'),
  user_id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  email: Joi.string().required().description('The login email.').example('student1.9f86d081@north.example'),
  amount_cents: Joi.number().integer().required().description('What the coupon was worth.').example(500),
  balance_cents: Joi.number().integer().required().description('What the wallet holds with it.').example(2_000),
  redeemed_at: timestamp().required().example('2026-11-23T12:10:00.000Z'),
}).meta({ title: 'Redeemed' });
export type RedeemedResponse = SchemaType<typeof redeemedSchema>;
