import type { InstitutionScope } from '../../database';
import type { IntegrationConfig } from '../../entities/institution';
import type { UserKind, UserStatus } from '../../entities/user';
import { statement } from '../../statement';

/** How many people of one kind have one status. */
export interface PeopleCount {
  kind: UserKind;
  status: UserStatus;
  count: number;
}

const people = statement(
  'institution_people_counts',
  `SELECT kind, status, sum(n)::int AS count FROM row_counts WHERE institution_id = $1 AND counted = 'people' AND kind IN ('student', 'faculty')
    GROUP BY kind, status HAVING sum(n) <> 0`,
);

/** Returns how many people the institution has by kind and status; kinds and statuses without people are left out. */
export function countPeople(scope: InstitutionScope): Promise<PeopleCount[]> {
  return scope.sql(people, [scope.institutionId]);
}

const complete = "config || jsonb_build_object('unique_student_ids', unique_student_ids, 'require_enrolment_code', require_enrolment_code) AS config";

const config = statement('institution_config', `SELECT ${complete} FROM institutions WHERE id = $1`);

/** The integration config, complete. */
export async function readConfig(scope: InstitutionScope): Promise<IntegrationConfig | undefined> {
  const [row] = await scope.sql<{ config: IntegrationConfig }>(config, [scope.institutionId]);
  return row?.config;
}

const replace = statement(
  'institution_config_replace',
  `UPDATE institutions SET config = $2::jsonb, unique_student_ids = $4, require_enrolment_code = $5, updated_at = $3 WHERE id = $1 RETURNING ${complete}`,
);

/** Replaces the integration config and returns it as stored. */
export async function writeConfig(scope: InstitutionScope, { unique_student_ids, require_enrolment_code, ...stored }: IntegrationConfig, now: Date): Promise<IntegrationConfig | undefined> {
  const values = [scope.institutionId, JSON.stringify(stored), now, unique_student_ids, require_enrolment_code];
  const [row] = await scope.sql<{ config: IntegrationConfig }>(replace, values);
  return row?.config;
}
