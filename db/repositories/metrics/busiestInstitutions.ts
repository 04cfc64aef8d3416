import type { Sql } from '../../statement';

/** What waits for one institution. */
export interface InstitutionWork {
  institutionId: string;
  /** Deliveries that have not ended: pending, retrying or held. */
  deliveries: number;
  /** Events that are not fanned out. */
  events: number;
}

/** So many institutions are named at a time, which bounds what a monitoring system keeps of them. */
const namedInstitutions = 10;
/** Rows of each table that are looked at. */
const maxCounted = 100_000;

const busiest = `WITH waiting AS (
    SELECT institution_id, 1 AS deliveries, 0 AS events FROM (SELECT institution_id FROM ONLY open_deliveries LIMIT ${maxCounted}) d
    UNION ALL
    SELECT institution_id, 0, 1 FROM (SELECT institution_id FROM event_queue LIMIT ${maxCounted}) e
  )
  SELECT institution_id AS "institutionId", sum(deliveries)::int AS deliveries, sum(events)::int AS events
    FROM waiting GROUP BY institution_id ORDER BY count(*) DESC, institution_id LIMIT ${namedInstitutions}`;

/** Returns the ten institutions for which most deliveries and events wait, the busiest first; none for which nothing waits. */
export async function readBusiestInstitutions(sql: Sql): Promise<InstitutionWork[]> {
  return sql<InstitutionWork>(busiest, []);
}
