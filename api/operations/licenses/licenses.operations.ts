import { findLicense, listLicenses, type LicenseRow } from '../../../db/repositories/licenses/licenses';
import { requireFound } from '../../../domain/errors';
import { licenseSummaryAt } from '../../../domain/licenses/countLicenses';
import { extendLicense } from '../../../domain/licenses/extendLicense';
import { revokeLicense } from '../../../domain/licenses/revokeLicense';
import type { Transaction } from '../../../domain/context';
import { createLabLicense } from '../../../domain/licenses/createLabLicense';
import { resumeLicense, suspendLicense } from '../../../domain/licenses/suspendLicense';
import { operation, type Operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { idParams, listOf, presentPage } from '../../http/request/fields';
import { inPortal } from '../institutions/inPortal';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { presentLicense, presentLicenseSummary } from './licenses.presenter';
import { extensionSchema, licenseQuery, licenseSchema, licenseSummarySchema, revocationSchema } from './licenses.schemas';
import { newLabLicenseSchema } from './licenses.staff.schemas';

const tag = 'Licenses';
const params = idParams('A license.', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr');

export const licenses = [
  operation({
    method: 'GET',
    path: '/licenses',
    operationId: 'listLicenses',
    tag,
    access: { key: 'licenses:read', ...adminAccess },
    portal: inPortal('/licenses', { operationId: 'listLicensesOfInstitution', summary: "List an institution's licenses, newest first." }),
    summary: 'List licenses, newest first.',
    request: { query: licenseQuery },
    response: listOf(licenseSchema),
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads, caller: { now } }) =>
      presentPage(await listLicenses(reads, query, now, query), query, (row) => presentLicense(row, now)),
  }),
  operation({
    method: 'GET',
    path: '/licenses/summary',
    operationId: 'summarizeLicenses',
    tag,
    access: { key: 'licenses:read' },
    summary: 'Count licenses by type and status, and those that expire soon.',
    response: licenseSummarySchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ reads, caller }) => presentLicenseSummary(await licenseSummaryAt(reads, caller.now)),
  }),
  operation({
    method: 'GET',
    path: '/licenses/:id',
    operationId: 'getLicense',
    tag,
    access: { key: 'licenses:read' },
    summary: 'Get a license.',
    request: { params },
    response: licenseSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['user.user_id'] },
    handle: async ({ params: { id }, reads, caller }) => {
      const license = requireFound(await findLicense(reads, id), 'license');
      return presentLicense(license, caller.now);
    },
  }),
  operation({
    method: 'POST',
    path: '/licenses/:id/extend',
    operationId: 'extendLicense',
    tag,
    access: { key: 'licenses:write' },
    summary: 'Extend a license by days or to a moment; an expired one becomes active.',
    description:
      'Exactly one of `days` and `expires_at`. A suspended license stays suspended; revoked and lifetime licenses: 409. ' +
      'The new expiry must be in the future, at most 100 years (36,500 days) away. ' +
      'If the license has expired without an event, `license.expired` is emitted before it becomes active.',
    request: { params, body: extensionSchema },
    response: licenseSchema,
    example: { response: { expires_at: '2028-08-31T08:00:00.000Z' } },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params: { id }, body, caller, tx }) => presentLicense(await extendLicense(tx, id, body), caller.now),
  }),
  operation({
    method: 'POST',
    path: '/licenses/:id/revoke',
    operationId: 'revokeLicense',
    tag,
    access: { key: 'licenses:write' },
    summary: 'Revoke a license; its apps sign out within 5 minutes.',
    description: 'Its seats end at once. Revoking a revoked license returns it unchanged.',
    request: { params, body: revocationSchema },
    response: licenseSchema,
    example: { response: { status: 'revoked', revoked_at: '2026-11-30T09:00:00.000Z', revoke_reason: 'Left the school' } },
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params: { id }, body, caller, tx }) => presentLicense(await revokeLicense(tx, id, body.reason ?? null), caller.now),
  }),
];

const transitionOperation = (
  verb: string,
  command: (tx: Transaction, id: string) => Promise<LicenseRow>,
  docs: { summary: string; description: string },
): Operation =>
  operation({
    method: 'POST',
    path: `/licenses/:id/${verb}`,
    operationId: `${verb}License`,
    tag,
    access: { staff: true },
    institution: { owns: 'license', id: ({ params }) => params.id },
    ...docs,
    request: { params: idParams('A license of any institution.', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: licenseSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params: { id }, tx }) => presentLicense(await command(tx, id), tx.now),
  });

export const labLicenses = [
  operation({
    method: 'POST',
    path: '/institutions/:id/licenses',
    operationId: 'createLabLicense',
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Give an institution a license for its lab machines.',
    description: 'Nobody carries it; it is listed, extended and revoked like any other. Each call makes one. Emits license.generated.',
    request: { params: institutionParams, body: newLabLicenseSchema },
    response: licenseSchema,
    errors: ['not_found'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => presentLicense(await createLabLicense(tx, body), tx.now),
  }),
  transitionOperation('suspend', suspendLicense, {
    summary: 'Suspend an active license.',
    description:
      'Its expiry date stays, but it does not expire while it is suspended. Signed-in apps receive the status with their next heartbeat (`license.status`) ' +
      'and stay signed in; no new seat can be taken. No-op for a suspended license; an expired or revoked license: conflict.',
  }),
  transitionOperation('resume', resumeLicense, {
    summary: 'Resume a suspended license.',
    description:
      'A license whose expiry date has passed in the meantime becomes `expired`, and license.expired is emitted. No-op for a license that is not suspended; ' +
      'a revoked license: conflict.',
  }),
];
