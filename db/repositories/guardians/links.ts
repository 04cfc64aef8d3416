import type { InstitutionScope } from '../../database';
import type { UserStatus } from '../../entities/user';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { personCondition } from '../people/licensedPeople';

/** The relation of a guardian to a student. */
export const guardianTypes = ['father', 'mother', 'guardian'] as const;
export type GuardianType = (typeof guardianTypes)[number];

/** A link between a student and a guardian, with the state of its invitation. */
export interface GuardianLinkRow {
  id: string;
  student_id: string;
  student_email: string;
  student_status: UserStatus;
  /** The person; links of one address in an institution share it. */
  person_id: string;
  guardian_email_sealed: string;
  guardian_type: GuardianType;
  guardian_name: string | null;
  is_primary: boolean;
  /** The number of the link's newest invitation, from 1. */
  invitation: number;
  invited_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  verified_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = `l.id, l.student_id, e.login_email AS student_email, s.status AS student_status, l.guardian_id AS person_id,
  g.personal_email_sealed AS guardian_email_sealed, l.guardian_type, l.guardian_name, l.is_primary, l.invitation, l.invited_at, l.expires_at,
  l.accepted_at, l.verified_at, l.created_at, l.updated_at`;

const joins = `JOIN users g ON g.id = l.guardian_id JOIN users s ON s.id = l.student_id
  JOIN institution_emails e ON e.user_id = l.student_id`;

const byId = statement('guardian_link_by_id', `SELECT ${columns} FROM guardian_links l ${joins} WHERE l.institution_id = $1 AND l.id = $2`);

/** A link of the institution. */
export async function findGuardianLink(scope: InstitutionScope, id: string): Promise<GuardianLinkRow | undefined> {
  const [row] = await scope.sql<GuardianLinkRow>(byId, [scope.institutionId, id]);
  return row;
}

const person = 'SELECT g.id FROM guardian_links l JOIN users g ON g.id = l.guardian_id WHERE l.institution_id = $1 AND l.id = $2';

const lockToChange = statement('guardian_link_lock_to_change', `${person} FOR NO KEY UPDATE OF g`);
const lockToRemove = statement('guardian_link_lock_to_remove', `${person} FOR UPDATE OF g`);

/** Locks the guardian of a link and reads the link under the lock; a guardian's links and sign-ins change only under this lock. */
export async function lockGuardianLink(scope: InstitutionScope, id: string): Promise<GuardianLinkRow | undefined> {
  await scope.sql(lockToChange, [scope.institutionId, id]);
  return findGuardianLink(scope, id);
}

/** The same for changes that may delete the guardian with the link. */
export async function lockGuardianLinkToRemove(scope: InstitutionScope, id: string): Promise<GuardianLinkRow | undefined> {
  await scope.sql(lockToRemove, [scope.institutionId, id]);
  return findGuardianLink(scope, id);
}

/** The filters of `GET /guardians`; undefined ones do not restrict. */
export interface GuardianFilter {
  /** Internal id or login email. */
  student_id?: string | undefined;
  verified?: boolean | undefined;
}

/** Returns one page of the institution's links, newest first. */
export function listGuardianLinks(scope: InstitutionScope, { student_id, verified }: GuardianFilter, page: Page): Promise<PageOf<GuardianLinkRow>> {
  const conditions = definedConditions([
    { sql: 'l.institution_id = $', value: scope.institutionId },
    { sql: personCondition('l.student_id', student_id ?? ''), value: student_id },
    { sql: '(l.verified_at IS NOT NULL) = $', value: verified },
  ]);
  return readPage(scope.sql, { columns, from: 'guardian_links l', joins, key: 'l.id', conditions, order: newestFirst('l.created_at', 'l.id') }, page);
}

const ofPair = statement(
  'guardian_links_of_pair',
  `SELECT count(*)::int AS links, coalesce(bool_or(guardian_id = $3), false) AS linked FROM guardian_links WHERE institution_id = $1 AND student_id = $2`,
);

/** Returns the number of a locked student's links, and whether one of them is to this guardian. */
export async function countLinksOfStudent(scope: InstitutionScope, studentId: string, personId: string): Promise<{ links: number; linked: boolean }> {
  const [row] = await scope.sql<{ links: number; linked: boolean }>(ofPair, [scope.institutionId, studentId, personId]);
  return row ?? { links: 0, linked: false };
}
