import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import { statement } from '../../statement';
import type { DeveloperStatus } from './developers';

/** An invitation of a developer: the address, the institution, and its status. */
export interface InvitedDeveloperRow {
  id: string;
  full_name: string | null;
  email_sealed: string;
  status: DeveloperStatus;
  /** The number of the newest invitation. */
  invitation: number;
  expires_at: Date;
  institution_id: string;
  institution_name: string;
  institution_status: InstitutionStatus;
  /** Of an institution that leaves: until then it is read-only. */
  institution_read_only_until: Date | null;
  login_domain: string;
  time_zone: string;
  /** The database's newest epoch when the invitation was created; null without one. */
  epoch: string | null;
}

const invited = statement(
  'developer_invited',
  `SELECT u.id, u.full_name, u.personal_email_sealed AS email_sealed, d.status, d.invitation, d.expires_at,
          i.id AS institution_id, i.name AS institution_name, i.status AS institution_status, i.read_only_until AS institution_read_only_until, i.login_domain, i.time_zone,
          (SELECT epoch FROM workflow_epochs w WHERE w.began_at <= d.invited_at ORDER BY w.began_at DESC, w.epoch DESC LIMIT 1) AS epoch
     FROM developers d JOIN users u ON u.id = d.user_id JOIN institutions i ON i.id = d.institution_id
    WHERE d.institution_id = $1 AND d.user_id = $2`,
);

/** Returns the newest invitation of a developer; undefined if there is no such developer. */
export async function findInvitedDeveloper({ institutionId, sql }: Pick<InstitutionScope, 'institutionId' | 'sql'>, id: string): Promise<InvitedDeveloperRow | undefined> {
  const [row] = await sql<InvitedDeveloperRow>(invited, [institutionId, id]);
  return row;
}
