import Joi from 'joi';
import type { DeliveryFilter } from '../../../db/repositories/webhooks/deliveries';
import { reference, type IdParams, type Paging } from '../../http/request/fields';
import { idFilter } from '../../http/request/filters';
import { deliveryFilters } from './deliveries.schemas';
import { institutionId } from '../institutions/institutions.staff.schemas';

/** `{ id }` is the institution. */
export interface DeliveryParams extends IdParams {
  delivery_id: string;
}

export const deliveryParams = Joi.object({
  id: institutionId,
  delivery_id: reference().required().description('Id of the delivery.').example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

export const webhookEndpointParams = Joi.object({
  id: institutionId,
  endpoint_id: reference().required().description('Id of the webhook endpoint.').example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

/** The list of one institution's deliveries across the portal: the platform names the institution. */
export interface DeliveriesQuery extends DeliveryFilter, Paging {
  institution_id?: string | undefined;
}

export const deliveriesQuery = Joi.object({
  ...deliveryFilters,
  institution_id: idFilter('ins').description('Required from the platform; a portal user has but their own.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
});
