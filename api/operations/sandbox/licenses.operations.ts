import { expireLicense } from '../../../domain/sandbox/expireLicense';
import { operation } from '../../http/operation';
import { idParams } from '../../http/request/fields';
import { presentLicense } from '../licenses/licenses.presenter';
import { licenseSchema } from '../licenses/licenses.schemas';

export const sandboxLicenses = [
  operation({
    method: 'POST',
    path: '/sandbox/licenses/:id/expire',
    operationId: 'expireSandboxLicense',
    tag: 'Sandbox',
    access: { key: 'licenses:write', environment: 'test' },
    summary: 'Let the term of a license end now; the license expires.',
    description: 'Emits license.expired. An expired license is answered unchanged. Conflict for a suspended, revoked or lifetime license.',
    request: { params: idParams('A license.', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: licenseSchema,
    example: { response: { status: 'expired', expires_at: '2026-11-30T09:00:00.000Z' } },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentLicense(await expireLicense(tx, params.id), tx.now),
  }),
];
