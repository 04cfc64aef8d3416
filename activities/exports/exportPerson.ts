import type { ArchiveDeps } from '../../domain/exports/storeArchive';
import { writeExport } from '../../domain/exports/writeExport';
import { activityNow } from '../activityNow';
import { withHeartbeats } from '../heartbeats';

/** The activity of an export. `nowMs` is the workflow's time. It is idempotent. */
export interface ExportActivities {
  /** Writes the archive and makes the export ready. */
  exportPerson(institutionId: string, exportId: string, nowMs: number): Promise<void>;
}

/** Returns the activity of exports. */
export function createExportActivities(deps: ArchiveDeps): ExportActivities {
  return {
    exportPerson: (institutionId, exportId, nowMs) =>
      withHeartbeats(async () => writeExport(deps, institutionId, exportId, await activityNow(deps.database.sql, institutionId, nowMs))),
  };
}
