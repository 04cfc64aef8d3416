import type { DeliveryFilter } from '../../../db/repositories/webhooks/deliveries';
import { reference, type IdParams, type Paging } from '../../http/request/fields';
import { idFilter } from '../../http/request/filters';
import { deliveryQuery } from './deliveries.schemas';
import { institutionParams } from '../institutions/institutions.staff.schemas';

/** `{ id }` is the institution. */
export interface DeliveryParams extends IdParams {
  delivery_id: string;
}

export const deliveryParams = institutionParams.append<Pick<DeliveryParams, 'delivery_id'>, DeliveryParams>({
  delivery_id: reference().required().description('Id of the delivery.').example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

export const webhookEndpointParams = institutionParams.append({
  endpoint_id: reference().required().description('Id of the webhook endpoint.').example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

/** The list of one institution's deliveries across the portal: the platform names the institution. */
export interface DeliveriesQuery extends DeliveryFilter, Paging {
  institution_id?: string | undefined;
}

export const deliveriesQuery = deliveryQuery.append<Pick<DeliveriesQuery, 'institution_id'>, DeliveriesQuery>({
  institution_id: idFilter('ins').description('Required from the platform; a portal user has but their own.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
});
