import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import type { PortalView } from '../../http/operation';
import { reference, text, type IdParams } from '../../http/request/fields';
import { institutionId } from '../institutions/institutions.staff.schemas';

/** `{ id }` is the institution. */
export const batchOfInstitutionParams = Joi.object({
  id: institutionId,
  batchId: reference().required().description('Id of the coupon batch.').example('cpb_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

/** The path of a coupon batch in the portal. */
export const batchInPortal: PortalView<IdParams, SchemaType<typeof batchOfInstitutionParams>> = {
  operationId: 'getCouponBatchOfInstitution',
  path: '/institutions/:id/coupon-batches/:batchId',
  params: batchOfInstitutionParams,
  institution: ({ id }) => id,
  toParams: ({ batchId: id }) => ({ id }),
};

export const decisionSchema = Joi.object({
  reason: text(1_000, 'multi-line').allow(null).description('Shown with the batch.').example('Agreed for this term'),
});
