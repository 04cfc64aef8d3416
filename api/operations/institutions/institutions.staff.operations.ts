import type { InstitutionScope } from '../../../db/database';
import { findInstitution, listInstitutions } from '../../../db/repositories/institutions/institutions';
import { noSuch } from '../../../domain/errors';
import { approveInstitution, suspendInstitution } from '../../../domain/institutions/changeStatus';
import { createInstitution, type NewInstitution } from '../../../domain/institutions/createInstitution';
import { setAllowance } from '../../../domain/merits/setAllowance';
import { platformOperation } from '../../http/operation';
import { listOf, pagingQuery, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { institutionAdmin } from './admin.staff.operations';
import { presentInstitution } from './institutions.staff.presenter';
import { institutionParams, institutionSchema, newAllowanceSchema, newInstitutionSchema } from './institutions.staff.schemas';

const tag = 'Institutions';

async function readInstitution(reads: InstitutionScope): Promise<object> {
  const institution = await findInstitution(reads);
  if (institution === undefined) throw noSuch('institution');
  return presentInstitution(institution);
}

export const institutions = [
  platformOperation<Record<string, never>, Record<string, never>, NewInstitution>({
    method: 'POST',
    path: '/institutions',
    operationId: 'createInstitution',
    tag,
    roles: ['platform'],
    institution: 'new',
    summary: 'Create a pending institution with its admin.',
    description: 'Emits faculty.created and license.generated for the admin. A login domain that another institution has: conflict.',
    request: { body: newInstitutionSchema },
    response: institutionSchema,
    errors: ['conflict'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentInstitution((await createInstitution(tx, body)).institution),
  }),
  platformOperation<Record<string, never>, Paging>({
    method: 'GET',
    path: '/institutions',
    operationId: 'listInstitutions',
    tag,
    roles: ['platform'],
    institution: 'none',
    summary: 'List all institutions, newest first.',
    request: { query: pagingQuery },
    response: listOf(institutionSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, domain }) => presentPage(await listInstitutions(domain.database.sql, query), query, presentInstitution),
  }),
  platformOperation<IdParams>({
    method: 'GET',
    path: '/institutions/:id',
    operationId: 'getInstitution',
    tag,
    roles: ['platform'],
    institution: 'path',
    summary: 'Get an institution.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: ({ reads }) => readInstitution(reads),
  }),
  platformOperation<IdParams>({
    method: 'POST',
    path: '/institutions/:id/approve',
    operationId: 'approveInstitution',
    tag,
    roles: ['platform'],
    institution: 'path',
    summary: 'Approve an institution, or restore a suspended one.',
    description: 'Its keys are valid from the next request on, without being reissued. An approved institution is answered unchanged.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ tx }) => presentInstitution(await approveInstitution(tx)),
  }),
  platformOperation<IdParams>({
    method: 'POST',
    path: '/institutions/:id/suspend',
    operationId: 'suspendInstitution',
    tag,
    roles: ['platform'],
    institution: 'path',
    summary: 'Suspend an approved institution: its keys answer invalid_api_key from the next request on.',
    description: 'A suspended institution is answered unchanged; one that was never approved has nothing to suspend: conflict.',
    request: { params: institutionParams },
    response: institutionSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ tx }) => presentInstitution(await suspendInstitution(tx)),
  }),
  platformOperation<IdParams, Record<string, never>, { allowance_cents: number }>({
    method: 'PUT',
    path: '/institutions/:id/allowance',
    operationId: 'setAllowance',
    tag,
    roles: ['platform'],
    institution: 'path',
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
  ...institutionAdmin,
];
