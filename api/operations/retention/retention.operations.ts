import { readRetention, replaceRetention } from '../../../domain/retention/institutionPeriods';
import { operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { newRetentionSchema, retentionSchema } from './retention.schemas';

export const retention = [
  operation({
    method: 'GET',
    path: '/institutions/:id/retention',
    operationId: 'getRetention',
    tag: 'Institutions',
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Show how long an institution keeps recordings, proctoring details and suspended people.',
    request: { params: institutionParams },
    response: retentionSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: ({ reads }) => readRetention(reads),
  }),
  operation({
    method: 'PUT',
    path: '/institutions/:id/retention',
    operationId: 'replaceRetention',
    tag: 'Institutions',
    access: adminAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Replace how long an institution keeps recordings, proctoring details and suspended people.',
    description:
      'A field that is left out gets its default. What is older is removed by the next daily run and cannot be restored; each chunk of it is in the audit log, by the actor `retention`. People who were suspended for longer are erased by it, too, up to 100 a day.',
    request: { params: institutionParams, body: newRetentionSchema },
    response: retentionSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'write',
    handle: ({ body, tx }) => replaceRetention(tx, body),
  }),
];
