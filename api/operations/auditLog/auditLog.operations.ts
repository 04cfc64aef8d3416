import { listAuditLog, listPlatformAuditLog, type AuditRow } from '../../../db/repositories/auditLog/auditLog';
import type { PageOf } from '../../../db/page';
import { noMatchText } from '../../../domain/audit/noMatch';
import { readTarget } from '../../../domain/support/typedTarget';
import type { SchemaType } from '../../../lib/schemaType';
import { operation } from '../../http/operation';
import { presentPage } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { adminAccess } from '../../http/security/roles';
import { auditedCallsSchema, auditQuery, type AuditedCallResponse } from './auditLog.schemas';

const presentAuditedCall = ({ actor_kind: kind, actor_id: id, actor_name: name, at, ...call }: AuditRow): AuditedCallResponse => ({ ...call, at: at.toISOString(), actor: { kind, id, name } });

type AuditQuery = SchemaType<typeof auditQuery>;

const presentCalls = (found: PageOf<AuditRow>, query: AuditQuery, unknown?: string) => {
  const { actor_id: actor, target_id: target, request_id: request } = query;
  const note = found.rows.length === 0 ? (noMatchText({ actor, target, request }) ?? unknown) : undefined;
  return { ...presentPage(found, query, presentAuditedCall), note: note ?? null };
};

export const auditLog = [
  operation({
    method: 'GET',
    path: '/institutions/:id/audit-log',
    operationId: 'listAuditLog',
    tag: 'Audit log',
    access: { ...adminAccess, support: true },
    institution: { named: ({ params }) => params.id },
    summary: "List the writes of an institution's keys and portal users, of the platform and of its staff, newest first.",
    description:
      'Every call that changes something and succeeded, though it may have found nothing to change. Refused ones, reads, signing in, and what apps and ' +
      'guardians do are not in it. Calls are kept for 400 days from the end of their month (UTC).',
    request: { params: institutionParams, query: auditQuery },
    response: auditedCallsSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads }) => {
      const target = query.target_id === undefined ? undefined : await readTarget(reads, query.target_id);
      return presentCalls(await listAuditLog(reads, { ...query, targets: target?.names }, query), query, target?.unknown);
    },
  }),
  operation({
    method: 'GET',
    path: '/audit-log',
    operationId: 'listPlatformAuditLog',
    tag: 'Audit log',
    access: { staff: true },
    institution: 'none',
    summary: 'List the writes that belong to no institution, newest first: those about the staff, their tokens and shared curricula.',
    description: 'Calls are kept for 400 days from the end of their month (UTC).',
    request: { query: auditQuery },
    response: auditedCallsSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, domain }) => presentCalls(await listPlatformAuditLog(domain.database.sql, { ...query, targets: query.target_id === undefined ? undefined : [query.target_id] }, query), query),
  }),
];
