import type { Page, PageOf } from '../../db/page';
import { listFailingEndpoints, type FailingEndpoint, type FailingFilter } from '../../db/repositories/support/failingEndpoints';
import type { Sql } from '../../db/statement';
import { findLastDisabledAt } from './endpointHealth';

/** An endpoint that does not work, with when it was disabled, if it is and that is still known. */
export interface DatedFailingEndpoint extends FailingEndpoint {
  disabled_at: Date | null;
}

/** Returns a page of the endpoints of all institutions that do not work, newest first, with when the disabled ones were disabled. */
export async function readFailingEndpoints(sql: Sql, filter: FailingFilter, page: Page): Promise<PageOf<DatedFailingEndpoint>> {
  const { rows, ...rest } = await listFailingEndpoints(sql, filter, page);
  const dated: DatedFailingEndpoint[] = [];
  // One after the other, so that a page takes one connection.
  for (const row of rows) dated.push({ ...row, disabled_at: row.status === 'disabled' ? ((await findLastDisabledAt({ institutionId: row.institution_id, sql }, row.id)) ?? null) : null });
  return { rows: dated, ...rest };
}
