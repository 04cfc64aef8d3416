import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';

/** A group of the institution's admin with these members; returns its id. */
export async function seedGroup({ api }: TestApi, { id: institutionId, adminId }: TestInstitution, memberIds: readonly string[] = []): Promise<string> {
  const id = newId('grp');
  const { sql } = api.domain.database;
  await sql(`INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at) VALUES ($1, $2, $3, 'Class', now(), now())`, [id, institutionId, adminId]);
  await sql('INSERT INTO group_members (group_id, user_id, institution_id, created_at) SELECT $1, m, $2, now() FROM unnest($3::text[]) m', [id, institutionId, memberIds]);
  return id;
}
