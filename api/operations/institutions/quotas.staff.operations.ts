import { sumInstitutionBytes } from '../../../db/repositories/quotas/storedBytes';
import { readQuotas, replaceQuotas } from '../../../domain/quotas/quotas';
import { requireInstitution } from '../../../domain/institutions/requireInstitution';
import { operation } from '../../http/operation';
import { institutionParams } from './institutions.staff.schemas';
import { newQuotasSchema, quotasSchema } from './quotas.schemas';

const tag = 'Institutions';

/** Operations on how much an institution may store and send. */
export const institutionQuotas = [
  operation({
    method: 'GET',
    path: '/institutions/:id/quotas',
    operationId: 'getInstitutionQuotas',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: "Get an institution's quotas of stored bytes and of emails to new addresses.",
    request: { params: institutionParams },
    response: quotasSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ reads }) => {
      await requireInstitution(reads);
      return { ...(await readQuotas(reads)), stored_bytes: (await sumInstitutionBytes(reads)).bytes };
    },
  }),
  operation({
    method: 'PUT',
    path: '/institutions/:id/quotas',
    operationId: 'replaceInstitutionQuotas',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: "Replace an institution's quotas; a field left out takes its default.",
    description: 'Uploads beyond a quota answer `file_too_large`, which names it, and leave nothing behind. What is stored beyond a lower quota stays.',
    request: { params: institutionParams, body: newQuotasSchema },
    response: quotasSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ body, tx }) => {
      await requireInstitution(tx);
      await replaceQuotas(tx, body);
      return { ...body, stored_bytes: (await sumInstitutionBytes(tx)).bytes };
    },
  }),
];
