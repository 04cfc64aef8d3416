import Joi from 'joi';
import type { InstitutionScope } from '../../../db/database';
import { findInstitution, listInstitutions } from '../../../db/repositories/institutions/institutions';
import { notFound } from '../../../domain/errors';
import { approveInstitution, suspendInstitution } from '../../../domain/institutions/changeStatus';
import { createInstitution } from '../../../domain/institutions/createInstitution';
import { setAllowance } from '../../../domain/merits/setAllowance';
import { readConfig } from '../../../db/repositories/institutions/profile';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { adminAccess } from '../../http/security/roles';
import { presentInstitution } from './institutions.staff.presenter';
import { institutionParams, institutionSchema, newAllowanceSchema, newInstitutionSchema } from './institutions.staff.schemas';
import { presentConfig } from './institutions.presenter';
import { configSchema } from './institutions.schemas';

const tag = 'Institutions';

async function readInstitution(reads: InstitutionScope) {
  const institution = await findInstitution(reads);
  if (institution === undefined) throw notFound('institution', { within: 'service' });
  return presentInstitution(institution);
}

export const institutions = [
  operation({
    method: 'POST',
    path: '/institutions',
    operationId: 'createInstitution',
    tag,
    access: { staff: true },
    institution: 'new',
    summary: 'Create a pending institution with its admin.',
    description: 'Emits faculty.created and license.generated for the admin. A login domain that another institution has: conflict.',
    request: { body: newInstitutionSchema },
    response: institutionSchema,
    errors: ['conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => presentInstitution((await createInstitution(tx, body)).institution),
  }),
  operation({
    method: 'GET',
    path: '/institutions',
    operationId: 'listInstitutions',
    tag,
    access: { staff: true },
    institution: 'none',
    summary: 'List all institutions, newest first.',
    request: { query: pagingQuery },
    response: listOf(institutionSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, domain }) => presentPage(await listInstitutions(domain.database.sql, query), query, presentInstitution),
  }),
  operation({
    method: 'GET',
    path: '/institutions/:id',
    operationId: 'getInstitution',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Get an institution.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: ({ reads }) => readInstitution(reads),
  }),
  operation({
    method: 'POST',
    path: '/institutions/:id/approve',
    operationId: 'approveInstitution',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Approve an institution, or restore a suspended one.',
    description: 'Its keys are valid from the next request on, without being reissued. An approved institution is answered unchanged.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ tx }) => presentInstitution(await approveInstitution(tx)),
  }),
  operation({
    method: 'POST',
    path: '/institutions/:id/suspend',
    operationId: 'suspendInstitution',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Suspend an approved institution: its keys answer invalid_api_key from the next request on.',
    description: 'A suspended institution is answered unchanged; one that was never approved has nothing to suspend: conflict.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ tx }) => presentInstitution(await suspendInstitution(tx)),
  }),
  operation({
    method: 'PUT',
    path: '/institutions/:id/allowance',
    operationId: 'setAllowance',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Set what an institution has left to credit.',
    description: 'The difference is granted, or taken back, as a move of its ledger; an allowance that is as wanted moves nothing, so the call may be repeated.',
    request: { params: institutionParams, body: newAllowanceSchema },
    response: institutionSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ body, tx }) => {
      await setAllowance(tx, body.allowance_cents);
      return readInstitution(tx);
    },
  }),
];

const settingsSchema = Joi.object({
  profile: institutionSchema.required(),
  config: configSchema.required().description('The integration config, as GET /v1/institution/config answers it.'),
}).meta({ title: 'InstitutionSettings' });

/** Operations that the portal has for an institution's admin in addition to keys. */
export const overview = [
  operation({
    method: 'GET',
    path: '/institutions/:id/settings',
    operationId: 'getInstitutionSettings',
    tag: 'Institutions',
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: "Get an institution's profile and integration config.",
    request: { params: institutionParams },
    response: settingsSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ reads }) => {
      const profile = await findInstitution(reads);
      const config = await readConfig(reads);
      if (profile === undefined || config === undefined) throw notFound('institution', { within: 'service' });
      return { profile: presentInstitution(profile), config: presentConfig(config) };
    },
  }),
];
