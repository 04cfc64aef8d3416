import Joi from 'joi';
import { readConfig } from '../../../db/repositories/institutions/profile';
import { findInstitution } from '../../../db/repositories/institutions/institutions';
import { listLicenses, type LicenseFilter } from '../../../db/repositories/licenses/licenses';
import { noSuch } from '../../../domain/errors';
import { platformOperation } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentConfig } from './institutions.presenter';
import { configSchema } from './institutions.schemas';
import { presentLicense } from '../licenses/licenses.presenter';
import { licenseQuery, licenseSchema } from '../licenses/licenses.schemas';
import { presentInstitution } from './institutions.staff.presenter';
import { institutionParams, institutionSchema } from './institutions.staff.schemas';
import { adminRoles } from '../../http/security/roles';

const settingsSchema = Joi.object({
  profile: institutionSchema.required(),
  config: configSchema.required().description('The integration config, as GET /v1/institution/config answers it.'),
}).meta({ title: 'InstitutionSettings' });

/** What the portal shows an institution's admin beside keys. */
export const overview = [
  platformOperation<IdParams, LicenseFilter & Paging>({
    method: 'GET',
    path: '/institutions/:id/licenses',
    operationId: 'listLicensesOfInstitution',
    tag: 'Licenses',
    roles: adminRoles,
    institution: 'path',
    summary: "List an institution's licenses, newest first.",
    request: { params: institutionParams, query: licenseQuery },
    response: listOf(licenseSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ query, reads, caller: { now } }) => presentPage(await listLicenses(reads, query, now, query), query, (row) => presentLicense(row, now)),
  }),
  platformOperation<IdParams>({
    method: 'GET',
    path: '/institutions/:id/settings',
    operationId: 'getInstitutionSettings',
    tag: 'Institutions',
    roles: adminRoles,
    institution: 'path',
    summary: "Get an institution's profile and integration config.",
    request: { params: institutionParams },
    response: settingsSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ reads }) => {
      const profile = await findInstitution(reads);
      const config = await readConfig(reads);
      if (profile === undefined || config === undefined) throw noSuch('institution');
      return { profile: presentInstitution(profile), config: presentConfig(config) };
    },
  }),
];
