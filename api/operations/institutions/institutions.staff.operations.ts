import Joi from 'joi';
import { listInstitutions, type InstitutionRow } from '../../../db/repositories/institutions/institutions';
import type { Transaction } from '../../../domain/context';
import type { ErrorCode } from '../../../domain/errors';
import { approveInstitution, suspendInstitution } from '../../../domain/institutions/changeStatus';
import { createInstitution } from '../../../domain/institutions/createInstitution';
import { requireConfig, requireInstitution } from '../../../domain/institutions/requireInstitution';
import { setAllowance } from '../../../domain/merits/setAllowance';
import { operation, type Operation } from '../../http/operation';
import { listOf, presentPage } from '../../http/request/fields';
import { adminAccess } from '../../http/security/roles';
import { presentInstitution } from './institutions.staff.presenter';
import { institutionParams, institutionQuery, institutionSchema, newAllowanceSchema, newInstitutionSchema } from './institutions.staff.schemas';
import { presentConfig } from './institutions.presenter';
import { configSchema } from './institutions.schemas';

const tag = 'Institutions';

const transitionOperation = (
  verb: string,
  command: (tx: Transaction) => Promise<InstitutionRow>,
  docs: { summary: string; description: string; errors: readonly ErrorCode[] },
): Operation =>
  operation({
    method: 'POST',
    path: `/institutions/:id/${verb}`,
    operationId: `${verb}Institution`,
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    ...docs,
    request: { params: institutionParams },
    response: institutionSchema,
    transaction: 'write',
    handle: async ({ tx }) => presentInstitution(await command(tx)),
  });

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
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'List all institutions, newest first, and among them their sandboxes.',
    request: { query: institutionQuery },
    response: listOf(institutionSchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, domain }) => presentPage(await listInstitutions(domain.database.sql, query, query), query, presentInstitution),
  }),
  operation({
    method: 'GET',
    path: '/institutions/:id',
    operationId: 'getInstitution',
    tag,
    access: { staff: true, support: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Get an institution.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ reads }) => presentInstitution(await requireInstitution(reads)),
  }),
  transitionOperation('approve', approveInstitution, {
    summary: 'Approve an institution, or restore a suspended one.',
    description:
      'Its keys are valid from the next request on, without being reissued. An approved institution is answered unchanged. A sandbox has the status of its ' +
      'institution: conflict.',
    errors: ['not_found', 'conflict'],
  }),
  transitionOperation('suspend', suspendInstitution, {
    summary: 'Suspend an approved institution: its keys answer invalid_api_key from the next request on.',
    description:
      'A suspended institution is answered unchanged; one that was never approved has nothing to suspend, and a sandbox has the status of its institution: ' +
      'conflict.',
    errors: ['not_found', 'conflict'],
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
      return presentInstitution(await requireInstitution(tx));
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
    discloses: 'nobody',
    handle: async ({ reads }) => {
      const profile = await requireInstitution(reads);
      return { profile: presentInstitution(profile), config: presentConfig(await requireConfig(reads)) };
    },
  }),
];
