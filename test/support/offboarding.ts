import type { WorkflowHandle } from '@temporalio/client';
import { look } from '../../workflows/contract';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { offboardingWorkflowId } from '../../domain/outbox/workflows';
import type { ApiResponse, TestApi, TestInstitution } from './api';
import { eventually } from './eventually';
import { seedAuditLog } from './seed/auditLog';
import { daysBefore } from './time';

const path = ({ id }: Pick<TestInstitution, 'id'>): string => `/institutions/${id}/offboard`;

/** Requests the offboarding of an institution. */
export const offboard = (api: TestApi, institution: Pick<TestInstitution, 'id'>, body: object = {}): Promise<ApiResponse> => api.platform('POST', path(institution), { body });

/** The offboarding of an institution as the platform reads it. */
export async function offboardingOf(api: TestApi, institution: Pick<TestInstitution, 'id'>): Promise<ApiResponse['data']> {
  return (await api.platform('GET', path(institution))).data;
}

/** The workflow of an institution's offboarding. */
export const offboardingWorkflow = ({ client }: TemporalConnection, { id }: Pick<TestInstitution, 'id'>, number = 1): WorkflowHandle => client.workflow.getHandle(offboardingWorkflowId(id, number));

/** Waits until the archive of an institution is written. */
export const untilArchived = (api: TestApi, institution: Pick<TestInstitution, 'id'>): Promise<ApiResponse['data']> =>
  eventually('the archive', async () => {
    const found = await offboardingOf(api, institution);
    return found.archive !== null && found;
  });

/** What lets the erasure begin: the request is in the audit log for long, for which no test waits. */
export const requestedLongAgo = (api: TestApi, institution: Pick<TestInstitution, 'id'>): Promise<void> =>
  seedAuditLog(api, institution, { at: daysBefore(new Date(), 31), operation: 'offboardInstitution', actorKind: 'platform' });

/** Ends the 30 days of an institution whose archive is written; returns once its erasure has begun. */
export async function endReadOnly(api: TestApi, temporal: TemporalConnection, institution: Pick<TestInstitution, 'id'>): Promise<void> {
  await requestedLongAgo(api, institution);
  await untilArchived(api, institution);
  await api.api.domain.database.sql("UPDATE offboardings SET erase_after = now() - interval '1 second' WHERE institution_id = $1", [institution.id]);
  await eventually('the begin of the erasure', async () => {
    await offboardingWorkflow(temporal, institution).signal(look, {});
    return (await offboardingOf(api, institution)).status !== 'read_only';
  });
}

/** Waits for the certificate of an erasure that has begun, without the minutes that it takes at least. */
export async function untilErased(api: TestApi, temporal: TemporalConnection, institution: Pick<TestInstitution, 'id'>): Promise<ApiResponse['data']> {
  await api.api.domain.database.sql("UPDATE offboardings SET erasing_since = requested_at - interval '5 minutes' WHERE institution_id = $1", [institution.id]);
  const handle = offboardingWorkflow(temporal, institution);
  await handle.signal(look, {});
  return eventually('the certificate', async () => {
    const found = await offboardingOf(api, institution);
    return found.status === 'erased' && found;
  });
}
