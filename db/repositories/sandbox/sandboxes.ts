import type { InstitutionScope } from '../../database';
import type { InstitutionStatus, StoredConfig } from '../../entities/institution';
import { statement, type Sql } from '../../statement';

const ofInstitution = statement('sandbox_of_institution', 'SELECT id FROM institutions WHERE sandbox_of = $1');

/** The id of the institution's sandbox; undefined if it has none. */
export async function findSandboxId(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>): Promise<string | undefined> {
  const [row] = await scope.sql<{ id: string }>(ofInstitution, [scope.institutionId]);
  return row?.id;
}

/** An institution as its sandbox copies it. */
export interface SandboxParentRow {
  name: string;
  status: InstitutionStatus;
  time_zone: string;
  config: StoredConfig;
}

const parent = statement('sandbox_parent', 'SELECT name, status, time_zone, config FROM institutions WHERE id = $1 AND sandbox_of IS NULL');

/** The fields of the scope's institution that a sandbox copies; undefined if the institution is a sandbox itself. */
export async function readSandboxParent(scope: InstitutionScope): Promise<SandboxParentRow | undefined> {
  const [row] = await scope.sql<SandboxParentRow>(parent, [scope.institutionId]);
  return row;
}

const mark = statement('sandbox_mark', 'UPDATE institutions s SET sandbox_of = p.id, unique_student_ids = p.unique_student_ids, require_enrolment_code = p.require_enrolment_code, read_only_until = p.read_only_until FROM institutions p WHERE s.id = $1 AND p.id = $2');

/** Makes the scope's new institution the sandbox of another, with its settings of student ids and enrolment codes; if the other leaves, it is read-only, too. */
export async function markSandbox(scope: InstitutionScope, parentId: string): Promise<void> {
  await scope.platform.sql(mark, [scope.institutionId, parentId]);
}

/** A sandbox with how far its clock is ahead, in ms. */
export interface SandboxRow {
  clock_offset_ms: number;
  is_erasing: boolean;
}

const sandbox = statement(
  'sandbox_find',
  'SELECT clock_offset_ms::float8 AS clock_offset_ms, erasing_since IS NOT NULL AS is_erasing FROM institutions WHERE id = $1 AND sandbox_of IS NOT NULL',
);

/** The sandbox with this id; undefined for any other institution. */
export async function findSandbox(sql: Sql, id: string): Promise<SandboxRow | undefined> {
  const [row] = await sql<SandboxRow>(sandbox, [id]);
  return row;
}
