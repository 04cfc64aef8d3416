import Joi from 'joi';
import type { PortalView } from '../../http/operation';
import { reference, type IdParams } from '../../http/request/fields';
import type { SchemaType } from '../../../lib/schemaType';
import { deliveryFilters } from './deliveries.schemas';
import { institutionFilter, institutionId } from '../institutions/institutions.staff.schemas';

/** `{ id }` is the institution. */
export const deliveryOfInstitutionParams = Joi.object({
  id: institutionId,
  delivery_id: reference().required().description('Id of the delivery.').example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

/** `{ id }` is the institution. */
export const endpointOfInstitutionParams = Joi.object({
  id: institutionId,
  endpoint_id: reference().required().description('Id of the webhook endpoint.').example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

/** The portal's path of the public operations on one webhook endpoint. */
export const endpointInPortal = (subpath = ''): PortalView<IdParams, SchemaType<typeof endpointOfInstitutionParams>> => ({
  path: `/institutions/:id/webhook-endpoints/:endpoint_id${subpath}`,
  params: endpointOfInstitutionParams,
  institution: ({ id }) => id,
  toParams: ({ endpoint_id: id }) => ({ id }),
});

/** The portal's path of the public operations on one delivery. */
export const deliveryInPortal = (subpath = ''): PortalView<IdParams, SchemaType<typeof deliveryOfInstitutionParams>> => ({
  path: `/institutions/:id/deliveries/:delivery_id${subpath}`,
  params: deliveryOfInstitutionParams,
  institution: ({ id }) => id,
  toParams: ({ delivery_id: id }) => ({ id }),
});

const portalDeliveryFilters = {
  ...deliveryFilters,
  late: Joi.boolean().description('Whether they were delivered a minute or more after they were created. Replayed ones are not late.').example(true),
};

/** The query of the list of an institution's deliveries. */
export const deliveriesOfInstitutionQuery = Joi.object(portalDeliveryFilters);

/** The query of the portal's list of deliveries. */
export const deliveriesQuery = Joi.object({ ...portalDeliveryFilters, institution_id: institutionFilter });
