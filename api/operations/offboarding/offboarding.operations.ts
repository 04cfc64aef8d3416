import type { OffboardingRow } from '../../../db/repositories/offboarding/offboardings';
import type { Caller, Domain } from '../../../domain/context';
import { cancelOffboarding, offboardInstitution, requireOffboarding } from '../../../domain/offboarding/requestOffboarding';
import { operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { presentOffboarding } from './offboarding.presenter';
import { newOffboardingSchema, offboardingSchema, type OffboardingResponse } from './offboarding.schemas';

/** Returns an offboarding, with a new URL of its archive while there is one. */
async function respond(row: OffboardingRow, { files }: Domain, { actor, now }: Caller): Promise<OffboardingResponse> {
  if (row.status !== 'read_only' || row.file_id === null) return presentOffboarding(row, null);
  const archive = { id: row.file_id, filename: `${row.institution_id}.zip`, contentType: 'application/zip', reader: actor.id };
  return presentOffboarding(row, await files.signedUrl(archive, now));
}

export const offboardings = [
  operation({
    method: 'POST',
    path: '/institutions/:id/offboard',
    operationId: 'offboardInstitution',
    tag: 'Institutions',
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'End the use of the service by an institution: 30 days read-only, then everything is erased.',
    description:
      'From the next request on its keys, portal users and apps, and those of its sandbox, only read and export; every other call answers `forbidden`. Deliveries of webhooks go on. ' +
      'The admin gets an email, and a workflow writes an archive with everything of the institution, which GET …/offboard has for the 30 days. Then everything is erased from every store, and a certificate is left. ' +
      'A call while an offboarding is under way returns it as it is, without the archive. Conflict: a sandbox, which leaves with its institution, or the sandbox is being reset.',
    request: { params: institutionParams, body: newOffboardingSchema },
    response: offboardingSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    // Without the archive: who gets its URL is on record, which reads are.
    handle: async ({ body, tx }) => presentOffboarding(await offboardInstitution(tx, body.reason), null),
  }),
  operation({
    method: 'GET',
    path: '/institutions/:id/offboard',
    operationId: 'getOffboarding',
    tag: 'Institutions',
    access: adminAccess,
    institution: 'caller_or_none',
    summary: "Get an institution's offboarding: its dates, the archive, its progress, and the certificate once everything is erased.",
    description: 'It remains after the institution. Not found: it never had one.',
    request: { params: institutionParams },
    response: offboardingSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: { everything: 'archive', institution: 'institution_id' },
    handle: async ({ params, principal, domain, caller }) => respond(await requireOffboarding(domain, params.id, principal.institution?.id), domain, caller),
  }),
  operation({
    method: 'POST',
    path: '/institutions/:id/offboard/cancel',
    operationId: 'cancelOffboarding',
    tag: 'Institutions',
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'Cancel the offboarding of an institution before its data is erased.',
    description: 'The institution and its sandbox can be written from the next request on, and the archive is deleted. One that was cancelled is answered unchanged. Conflict: the erasure has begun.',
    request: { params: institutionParams },
    response: offboardingSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ tx }) => presentOffboarding(await cancelOffboarding(tx), null),
  }),
];
