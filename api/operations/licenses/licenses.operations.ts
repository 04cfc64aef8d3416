import { findLicense, listLicenses, type LicenseFilter } from '../../../db/repositories/licenses/licenses';
import { notFound } from '../../../domain/errors';
import { licenseCountsAt } from '../../../domain/licenses/countLicenses';
import { extendLicense, type Extension } from '../../../domain/licenses/extendLicense';
import { revokeLicense } from '../../../domain/licenses/revokeLicense';
import { publicOperation } from '../../http/operation';
import { idParams, listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentLicense, presentLicenseSummary } from './licenses.presenter';
import { extensionSchema, licenseQuery, licenseSchema, licenseSummarySchema, revocationSchema, type Revocation } from './licenses.schemas';

const tag = 'Licenses';
const params = idParams('A license.', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr');

export const licenses = [
  publicOperation<Record<string, never>, LicenseFilter & Paging>({
    method: 'GET',
    path: '/licenses',
    operationId: 'listLicenses',
    tag,
    scope: 'licenses:read',
    summary: 'List licenses, newest first.',
    request: { query: licenseQuery },
    response: listOf(licenseSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads, caller: { now } }) =>
      presentPage(await listLicenses(reads, query, now, query), query, (row) => presentLicense(row, now)),
  }),
  publicOperation({
    method: 'GET',
    path: '/licenses/summary',
    operationId: 'summarizeLicenses',
    tag,
    scope: 'licenses:read',
    summary: 'Count licenses by type and status, and those that expire soon.',
    response: licenseSummarySchema,
    errors: [],
    transaction: 'none',
    handle: async ({ reads, caller }) => presentLicenseSummary(await licenseCountsAt(reads, caller.now)),
  }),
  publicOperation<IdParams>({
    method: 'GET',
    path: '/licenses/:id',
    operationId: 'getLicense',
    tag,
    scope: 'licenses:read',
    summary: 'Get a license.',
    request: { params },
    response: licenseSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params: { id }, reads, caller }) => {
      const license = await findLicense(reads, id);
      if (license === undefined) throw notFound('license');
      return presentLicense(license, caller.now);
    },
  }),
  publicOperation<IdParams, Record<string, never>, Extension>({
    method: 'POST',
    path: '/licenses/:id/extend',
    operationId: 'extendLicense',
    tag,
    scope: 'licenses:write',
    summary: 'Extend a license by days or to a moment; an expired one becomes active.',
    description:
      'Exactly one of `days` and `expires_at`. A suspended license stays suspended; revoked and lifetime licenses answer 409. ' +
      'The new expiry lies in the future, at most 100 years (36,500 days) away. ' +
      'Where the expiry had passed unnoticed, `license.expired` is emitted before the license turns active.',
    request: { params, body: extensionSchema },
    response: licenseSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params: { id }, body, caller, tx }) => presentLicense(await extendLicense(tx, id, body), caller.now),
  }),
  publicOperation<IdParams, Record<string, never>, Revocation>({
    method: 'POST',
    path: '/licenses/:id/revoke',
    operationId: 'revokeLicense',
    tag,
    scope: 'licenses:write',
    summary: 'Revoke a license; its apps sign out within 5 minutes.',
    description: 'Its seats end at once. Revoking a revoked license answers it unchanged.',
    request: { params, body: revocationSchema },
    response: licenseSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params: { id }, body, caller, tx }) => presentLicense(await revokeLicense(tx, id, body.reason ?? null), caller.now),
  }),
];
