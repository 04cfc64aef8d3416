import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** Who can be erased. */
export const erasureKinds = ['student', 'faculty', 'guardian'] as const;
export type ErasureKind = (typeof erasureKinds)[number];

/** What was removed from one store so far. */
export interface RemovedRow {
  count: number;
  /** ISO 8601, of the last removal, or of the search that found nothing. */
  at: string;
}

/** The erasure of a person. */
export interface ErasureRow {
  person_id: string;
  /** The number of the person's erasure, from 1. */
  number: number;
  kind: ErasureKind;
  requested_at: Date;
  ended_at: Date | null;
  /** By the name of the store. */
  removed: Record<string, RemovedRow>;
  /** JSON text; null until the erasure is done. */
  certificate: string | null;
}

const columns = 'r.person_id, r.number, r.kind, r.requested_at, r.ended_at, r.removed, r.certificate';

const ofPerson = statement('erasure_of_person', `SELECT ${columns} FROM erasures r WHERE r.institution_id = $1 AND r.person_id = $2 ORDER BY r.number DESC LIMIT 1`);

/** The newest erasure of a person of the institution. */
export async function findErasure(scope: InstitutionScope, personId: string): Promise<ErasureRow | undefined> {
  const [row] = await scope.sql<ErasureRow>(ofPerson, [scope.institutionId, personId]);
  return row;
}

const ofLink = statement('erasure_of_link', `SELECT ${columns} FROM erasures r WHERE r.institution_id = $1 AND r.kind = 'guardian' AND r.link_ids @> ARRAY[$2::text] ORDER BY r.number DESC LIMIT 1`);

/** The erasure of the guardian who had this link. */
export async function findErasureOfLink(scope: InstitutionScope, linkId: string): Promise<ErasureRow | undefined> {
  const [row] = await scope.sql<ErasureRow>(ofLink, [scope.institutionId, linkId]);
  return row;
}

/** A new erasure; a guardian's has the ids of their links, by which it is found after them. */
export interface NewErasure {
  personId: string;
  number: number;
  kind: ErasureKind;
  linkIds: readonly string[];
  removed: Record<string, RemovedRow>;
  subjectSealed: string;
}

const insert = statement(
  'erasure_insert',
  `INSERT INTO erasures AS r (person_id, number, institution_id, kind, link_ids, requested_at, removed, subject_sealed)
   VALUES ($2, $8, $1, $3, $4, $5, $6, $7) RETURNING ${columns}`,
);

/** Inserts the erasure of a locked person. */
export async function insertErasure(scope: InstitutionScope, { personId, number, kind, linkIds, removed, subjectSealed }: NewErasure, now: Date): Promise<ErasureRow> {
  const [row] = await scope.sql<ErasureRow>(insert, [scope.institutionId, personId, kind, linkIds, now, JSON.stringify(removed), subjectSealed, number]);
  if (row === undefined) throw new Error('The erasure was not written');
  return row;
}

/** An erasure under way, with what is searched for. */
export interface OpenErasureRow extends ErasureRow {
  subject_sealed: string;
}

const open = `SELECT ${columns}, r.subject_sealed FROM erasures r WHERE r.institution_id = $1 AND r.person_id = $2 AND r.number = $3 AND r.subject_sealed IS NOT NULL`;
const find = statement('erasure_find_open', open);
const lock = statement('erasure_lock_open', `${open} FOR UPDATE`);

/** An erasure under way; undefined once it is done. */
export async function findOpenErasure(scope: InstitutionScope, personId: string, number: number): Promise<OpenErasureRow | undefined> {
  const [row] = await scope.sql<OpenErasureRow>(find, [scope.institutionId, personId, number]);
  return row;
}

/** The same under a lock, so that each chunk is counted once. */
export async function lockOpenErasure(scope: InstitutionScope, personId: string, number: number): Promise<OpenErasureRow | undefined> {
  const [row] = await scope.sql<OpenErasureRow>(lock, [scope.institutionId, personId, number]);
  return row;
}

const write = statement('erasure_write_removed', 'UPDATE erasures SET removed = $4 WHERE institution_id = $1 AND person_id = $2 AND number = $3');

/** Writes what a locked erasure has removed. */
export async function writeRemoved(scope: InstitutionScope, { person_id, number }: ErasureRow, removed: Record<string, RemovedRow>): Promise<void> {
  await scope.sql(write, [scope.institutionId, person_id, number, JSON.stringify(removed)]);
}

const end = statement('erasure_end', 'UPDATE erasures SET ended_at = $4, certificate = $5, subject_sealed = NULL WHERE institution_id = $1 AND person_id = $2 AND number = $3');

/** Ends a locked erasure: what was searched for is gone with it. */
export async function writeCertificate(scope: InstitutionScope, { person_id, number }: ErasureRow, certificate: string, now: Date): Promise<void> {
  await scope.sql(end, [scope.institutionId, person_id, number, now, certificate]);
}
