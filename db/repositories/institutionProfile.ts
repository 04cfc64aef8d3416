import type { InstitutionScope } from '../database';
import type { InstitutionStatus, IntegrationConfig } from '../entities/institution';
import type { UserKind, UserStatus } from '../entities/user';
import { statement } from '../statement';

/** What an institution's own keys read of it. */
export interface InstitutionProfile {
  id: string;
  name: string;
  status: InstitutionStatus;
  login_domain: string;
  time_zone: string;
  admin_id: string | null;
  admin_login_email: string | null;
  created_at: Date;
}

const profile = statement(
  'institution_profile',
  `SELECT i.id, i.name, i.status, i.login_domain, i.time_zone, u.id AS admin_id, e.login_email AS admin_login_email, i.created_at
     FROM institutions i
     LEFT JOIN users u ON u.institution_id = i.id AND u.is_admin
     LEFT JOIN institution_emails e ON e.user_id = u.id
    WHERE i.id = $1`,
);

/** The institution itself with its admin. */
export async function readProfile(scope: InstitutionScope): Promise<InstitutionProfile | undefined> {
  const [row] = await scope.sql<InstitutionProfile>(profile, [scope.institutionId]);
  return row;
}

/** How many people of one kind have one status. */
export interface PeopleCount {
  kind: UserKind;
  status: UserStatus;
  count: number;
}

const people = statement(
  'institution_people_counts',
  'SELECT kind, status, count(*)::int AS count FROM users WHERE institution_id = $1 GROUP BY kind, status',
);

/** The institution's people by kind and status; kinds and statuses without any are left out. */
export function countPeople(scope: InstitutionScope): Promise<PeopleCount[]> {
  return scope.sql(people, [scope.institutionId]);
}

const config = statement('institution_config', 'SELECT config FROM institutions WHERE id = $1');

/** The integration config, complete. */
export async function readConfig(scope: InstitutionScope): Promise<IntegrationConfig | undefined> {
  const [row] = await scope.sql<{ config: IntegrationConfig }>(config, [scope.institutionId]);
  return row?.config;
}

const replace = statement(
  'institution_config_replace',
  'UPDATE institutions SET config = $2::jsonb, updated_at = $3 WHERE id = $1 RETURNING config',
);

/** Writes the whole integration config and answers it as it is kept. */
export async function writeConfig(scope: InstitutionScope, wanted: IntegrationConfig, now: Date): Promise<IntegrationConfig | undefined> {
  const [row] = await scope.sql<{ config: IntegrationConfig }>(replace, [scope.institutionId, JSON.stringify(wanted), now]);
  return row?.config;
}
