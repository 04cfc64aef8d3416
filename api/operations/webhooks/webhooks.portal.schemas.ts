import type { DeliveryFilter } from '../../../db/repositories/webhooks/deliveries';
import type { PortalView } from '../../http/operation';
import { reference, type IdParams, type Paging } from '../../http/request/fields';
import { idFilter } from '../../http/request/filters';
import { deliveryQuery } from './deliveries.schemas';
import { institutionParams } from '../institutions/institutions.staff.schemas';

/** `{ id }` is the institution. */
export interface DeliveryParams extends IdParams {
  delivery_id: string;
}

export const deliveryOfInstitutionParams = institutionParams.append<Pick<DeliveryParams, 'delivery_id'>, DeliveryParams>({
  delivery_id: reference().required().description('Id of the delivery.').example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

interface EndpointParams extends IdParams {
  endpoint_id: string;
}

const endpointParams = institutionParams.append<Pick<EndpointParams, 'endpoint_id'>, EndpointParams>({
  endpoint_id: reference().required().description('Id of the webhook endpoint.').example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

/** Where the portal has what the public API does with one webhook endpoint. */
export const endpointInPortal = (subpath = ''): PortalView<IdParams, EndpointParams> => ({
  path: `/institutions/:id/webhook-endpoints/:endpoint_id${subpath}`,
  params: endpointParams,
  institution: ({ id }) => id,
  toParams: ({ endpoint_id: id }) => ({ id }),
});

/** The same for one delivery. */
export const deliveryInPortal = (subpath = ''): PortalView<IdParams, DeliveryParams> => ({
  path: `/institutions/:id/deliveries/:delivery_id${subpath}`,
  params: deliveryOfInstitutionParams,
  institution: ({ id }) => id,
  toParams: ({ delivery_id: id }) => ({ id }),
});

/** The list of one institution's deliveries across the portal: the platform names the institution. */
export interface DeliveriesQuery extends DeliveryFilter, Paging {
  institution_id?: string | undefined;
}

export const deliveriesQuery = deliveryQuery.append<Pick<DeliveriesQuery, 'institution_id'>, DeliveriesQuery>({
  institution_id: idFilter('ins').description('Required from the platform; a portal user has but their own.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
});
