import Joi from 'joi';
import { findInstitutionOfAny } from '../../../db/repositories/support/owners';
import { notFound } from '../../../domain/errors';
import { operation } from '../../http/operation';
import { idParams } from '../../http/request/fields';

const ownerSchema = Joi.object({
  id: Joi.string().required().description('As it was asked for.').example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
  institution_id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).meta({ title: 'Owner' });

/** Returns the institution that owns an id which a customer quotes. */
export const owners = [
  operation({
    method: 'GET',
    path: '/owners/:id',
    operationId: 'findOwner',
    tag: 'Institutions',
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Find the institution of what is named by its id alone: a webhook endpoint, a delivery, an event, a coupon batch, a key, a license, a developer or the link of a guardian.',
    request: { params: idParams('Id of the thing: we_…, whd_…, evt_…, cpb_…, key_…, lic_…, dev_… or gdn_….', 'whd_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: ownerSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, domain }) => {
      const institutionId = await findInstitutionOfAny(domain.database.sql, params.id);
      if (institutionId === undefined) throw notFound();
      return { id: params.id, institution_id: institutionId };
    },
  }),
];
