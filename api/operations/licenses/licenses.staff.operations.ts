import type { Transaction } from '../../../domain/context';
import type { LicenseRow } from '../../../db/repositories/licenses/licenses';
import { createLabLicense, type NewLabLicense } from '../../../domain/licenses/createLabLicense';
import { resumeLicense, suspendLicense } from '../../../domain/licenses/suspendLicense';
import { platformOperation, type OperationRecord, type PlatformCaller } from '../../http/operation';
import { idParams, type IdParams } from '../../http/request/fields';
import { presentLicense } from './licenses.presenter';
import { licenseSchema } from './licenses.schemas';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { newLabLicenseSchema } from './licenses.staff.schemas';

const tag = 'Licenses';

const transitionOperation = (
  verb: string,
  command: (tx: Transaction, id: string) => Promise<LicenseRow>,
  docs: { summary: string; description: string },
): OperationRecord<PlatformCaller> =>
  platformOperation<IdParams>({
    method: 'POST',
    path: `/licenses/:id/${verb}`,
    operationId: `${verb}License`,
    tag,
    roles: ['platform'],
    institution: 'license',
    ...docs,
    request: { params: idParams('A license of whatever institution.', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: licenseSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params: { id }, tx }) => presentLicense(await command(tx, id), tx.now),
  });

export const labLicenses = [
  platformOperation<IdParams, Record<string, never>, NewLabLicense>({
    method: 'POST',
    path: '/institutions/:id/licenses',
    operationId: 'createLabLicense',
    tag,
    roles: ['platform'],
    institution: 'path',
    summary: 'Give an institution a license for its lab machines.',
    description: 'Nobody carries it; it is listed, extended and revoked like any other. Each call makes one. Emits license.generated.',
    request: { params: institutionParams, body: newLabLicenseSchema },
    response: licenseSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentLicense(await createLabLicense(tx, body), tx.now),
  }),
  transitionOperation('suspend', suspendLicense, {
    summary: 'Suspend an active license.',
    description:
      'Its time goes on, but it does not expire meanwhile; apps that are signed in hear of it at their next heartbeat (`license.status`) and stay ' +
      'signed in, others take no seat. A suspended license is answered unchanged; an expired or revoked one: conflict.',
  }),
  transitionOperation('resume', resumeLicense, {
    summary: 'Resume a suspended license.',
    description:
      'One whose time has passed meanwhile is answered `expired`, with its license.expired. A license that is not suspended is answered unchanged; ' +
      'a revoked one: conflict.',
  }),
];
