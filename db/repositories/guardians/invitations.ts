import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import type { UserStatus } from '../../entities/user';
import { statement } from '../../statement';

/** An invitation of a guardian: the student, the institution, and its status. */
export interface InvitedGuardianRow {
  id: string;
  /** The number of the link's newest invitation. */
  invitation: number;
  accepted_at: Date | null;
  verified_at: Date | null;
  expires_at: Date;
  guardian_name: string | null;
  /** The guardian. */
  person_id: string;
  guardian_email_sealed: string;
  student_full_name: string | null;
  student_email: string;
  student_status: UserStatus;
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
  'guardian_invited_to',
  `SELECT l.id, l.invitation, l.accepted_at, l.verified_at, l.expires_at, l.guardian_name, g.id AS person_id, g.personal_email_sealed AS guardian_email_sealed,
          s.full_name AS student_full_name, e.login_email AS student_email, s.status AS student_status,
          i.id AS institution_id, i.name AS institution_name, i.status AS institution_status, i.read_only_until AS institution_read_only_until, i.login_domain, i.time_zone,
          (SELECT epoch FROM workflow_epochs w WHERE w.began_at <= l.invited_at ORDER BY w.began_at DESC, w.epoch DESC LIMIT 1) AS epoch
     FROM guardian_links l JOIN users g ON g.id = l.guardian_id JOIN users s ON s.id = l.student_id
     JOIN institution_emails e ON e.user_id = l.student_id JOIN institutions i ON i.id = l.institution_id
    WHERE l.institution_id = $1 AND l.id = $2`,
);

/** Returns the newest invitation of a link; undefined if there is no such link. */
export async function findInvitedGuardian({ institutionId, sql }: Pick<InstitutionScope, 'institutionId' | 'sql'>, linkId: string): Promise<InvitedGuardianRow | undefined> {
  const [row] = await sql<InvitedGuardianRow>(invited, [institutionId, linkId]);
  return row;
}
