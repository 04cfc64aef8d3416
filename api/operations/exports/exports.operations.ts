import { archiveName, type ExportRow } from '../../../db/repositories/exports/exports';
import { exportStudent, requireExport } from '../../../domain/exports/requestExport';
import { toRealTime } from '../../../domain/clock';
import type { Caller, Domain } from '../../../domain/context';
import { grants } from '../../../domain/scopes';
import type { AuthenticatedKey } from '../../http/access';
import { operation } from '../../http/operation';
import { personParams } from '../../http/request/fields';
import { presentExport } from './exports.presenter';
import { exportSchema, type ExportResponse } from './exports.schemas';

/** The scopes of what is in an archive besides the student. */
const contents = ['licenses:read', 'groups:read', 'submissions:read', 'merits:read', 'guardians:read', 'alpha:read'] as const;

/** Whether a key gets the archive: with the scopes of all that is in it; recordings are for keys with submissions:write alone. */
function mayFetch({ scopes }: AuthenticatedKey, { with_recordings }: ExportRow): boolean {
  const required = ['students:write', ...contents, ...(with_recordings ? (['submissions:write'] as const) : [])] as const;
  return required.every((scope) => grants(scopes, scope));
}

/** Returns an export, with a URL of its archive if there is one at this moment and the key may have it. */
async function respond(row: ExportRow, key: AuthenticatedKey, { files }: Domain, caller: Caller): Promise<ExportResponse> {
  const { status, file_id: fileId, expires_at: expiresAt, person_id: studentId } = row;
  if (status !== 'ready' || fileId === null || expiresAt === null || expiresAt <= caller.now || !mayFetch(key, row)) return presentExport(row, null, caller.now);
  const signed = await files.signedUrl({ id: fileId, filename: archiveName(studentId), contentType: 'application/zip' }, toRealTime(caller, caller.now));
  return presentExport(row, signed, caller.now);
}

export const studentExports = [
  operation({
    method: 'POST',
    path: '/students/:id/export',
    operationId: 'exportStudent',
    tag: 'Students',
    access: { key: 'students:write', besides: contents, duringOffboarding: true },
    summary: 'Export all data of a student as a zip archive.',
    description:
      'A workflow writes the archive; GET /students/{id}/export has its URL once it is ready. It has student.json with its JSON Schema, what happened in each attempt, and the files that were handed in; recordings if the key has submissions:write. ' +
      'The archive is kept for 7 days, or until the next one is ready. While one with the same contents is being prepared, the call returns that. `conflict` for a student who was erased.',
    request: { params: personParams },
    response: exportSchema,
    example: { response: { status: 'preparing', ready_at: null, expires_at: null, archive: null } },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ params, principal, tx, caller, domain }) => respond(await exportStudent(tx, params.id, grants(principal.scopes, 'submissions:write')), principal, domain, caller),
  }),
  operation({
    method: 'GET',
    path: '/students/:id/export',
    operationId: 'getStudentExport',
    tag: 'Students',
    access: { key: 'students:read' },
    summary: "Get a student's newest export, with a URL of its archive once it is ready.",
    description: '`archive` is there for keys with the scopes of POST /students/{id}/export; if recordings are in it, for those that have submissions:write as well.',
    request: { params: personParams },
    response: exportSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['student_id'], archive: 'archive' },
    handle: async ({ params, reads, principal, caller, domain }) => respond(await requireExport(reads, params.id), principal, domain, caller),
  }),
];
