import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ExportActivities } from '../activities/exports/exportPerson';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { setOutcome } from './setOutcome';
import { onArchivesQueue } from './taskQueues';

// Recordings of a school year may be gigabytes. Retried until it succeeds: the file store may be unavailable.
const archiveActivities = () =>
  proxyActivities<ExportActivities>({
    ...onArchivesQueue(),
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
  });

/** Writes the archive with a person's data, which is kept for 7 days. */
export async function personExport({ exportId, institutionId }: WorkflowArguments['personExport']): Promise<void> {
  setCurrentDetails('Writing the archive.');
  await archiveActivities().exportPerson(institutionId, exportId, Date.now());
  setCurrentDetails('The archive is ready.');
  setOutcome('done');
}
