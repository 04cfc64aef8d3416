import Joi from 'joi';
import { reference, text, type IdParams } from '../../http/request/fields';
import { institutionId } from '../institutions/institutions.staff.schemas';

/** `{ id }` is the institution. */
export interface BatchParams extends IdParams {
  batchId: string;
}

export const batchParams = Joi.object({
  id: institutionId,
  batchId: reference().required().description('Id of the coupon batch.').example('cpb_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

export interface DecisionBody {
  reason?: string | null | undefined;
}

export const decisionSchema = Joi.object({
  reason: text(1_000, 'multi-line').allow(null).description('Shown with the batch.').example('Agreed for this term'),
});
