import { listAuditLog, type AuditRow } from '../../../db/repositories/auditLog/auditLog';
import { operation } from '../../http/operation';
import { listOf, presentPage } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { adminAccess } from '../../http/security/roles';
import { auditedCallSchema, auditQuery, type AuditedCallResponse } from './auditLog.schemas';

const presentAuditedCall = ({ actor_kind: kind, actor_id: id, at, ...call }: AuditRow): AuditedCallResponse => ({ ...call, at: at.toISOString(), actor: { kind, id } });

export const auditLog = [
  operation({
    method: 'GET',
    path: '/institutions/:id/audit-log',
    operationId: 'listAuditLog',
    tag: 'Audit log',
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: "List the writes of an institution's keys and portal users, of the platform and of support, newest first.",
    description:
      'Every call that changes something and succeeded, though it may have found nothing to change. Refused ones, reads, signing in, and what apps and ' +
      'guardians do are not in it. Calls are kept for 400 days.',
    request: { params: institutionParams, query: auditQuery },
    response: listOf(auditedCallSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads }) => presentPage(await listAuditLog(reads, query, query), query, presentAuditedCall),
  }),
];
