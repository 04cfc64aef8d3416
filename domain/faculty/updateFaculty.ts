import { lockFaculty, writeFaculty, type FacultyRow, type FacultyStatus } from '../../db/repositories/faculty';
import { endSessions } from '../../db/repositories/people';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { mayTurn } from './transitions';

/** The writable fields of a faculty member (section Faculty, PATCH); those left out stay. */
export interface FacultyChanges {
  full_name?: string | undefined;
  faculty_id?: string | null | undefined;
  status?: FacultyStatus | undefined;
}

/**
 * Changes a faculty member. A suspension ends their sessions in the same transaction; what they own stays theirs. The
 * specification has no event for it.
 */
export async function updateFaculty(tx: Transaction, idOrEmail: string, changes: FacultyChanges): Promise<FacultyRow> {
  const member = await lockFaculty(tx, idOrEmail);
  if (member === undefined) throw notFound('faculty member');
  const { full_name = member.full_name, faculty_id: external_id = member.external_id } = changes;
  const turned = changes.status !== undefined && mayTurn(member.status, changes.status) ? changes.status : undefined;
  const after = { ...member, full_name, external_id, status: turned ?? member.status };
  await writeFaculty(tx, after, tx.now);
  if (turned === 'suspended') await endSessions(tx, member.id, tx.now);
  return after;
}
