import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';
import { seedExam } from './exams';

/** A file that was seeded. */
export interface SeededFile {
  id: string;
  /** Hex SHA-256 of its bytes. */
  sha256: string;
}

/** The fields of a seeded file that a test chooses. */
export interface FileFields {
  status: 'storing' | 'stored' | 'removed';
  /** The exam that it was uploaded to; null when that was deleted since. */
  exam_id: string | null;
  bytes: Buffer;
}

/** A file of an exam, its row and its bytes: stored, and of an exam of its own, unless it says otherwise. */
export async function seedFile(testApi: TestApi, institution: TestInstitution, fields: Partial<FileFields> = {}): Promise<SeededFile> {
  const { bytes } = { bytes: randomBytes(64), ...fields };
  const exam_id = fields.exam_id === undefined ? await seedExam(testApi, institution, { status: 'draft' }) : fields.exam_id;
  const [id = ''] = await seedFileRows(testApi, institution, 1, { ...fields, exam_id, bytes });
  const sha256 = digestOf(bytes);
  const path = join(tmpdir(), id);
  await writeFile(path, bytes);
  await testApi.api.domain.files.put(id, { path, size: bytes.length, sha256, contentType: 'application/zip' });
  return { id, sha256 };
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The rows of so many files of an exam, stored unless they say otherwise, of which nothing is in the store; returns their ids. */
export async function seedFileRows(
  { api }: TestApi,
  { id: institutionId }: TestInstitution,
  count: number,
  fields: Pick<FileFields, 'exam_id'> & Partial<FileFields>,
): Promise<string[]> {
  const { status, exam_id, bytes } = { status: 'stored', bytes: randomBytes(64), ...fields };
  const ids = Array.from({ length: count }, () => newId('file'));
  await api.domain.database.sql(
    `INSERT INTO files (id, institution_id, exam_id, status, filename, content_type, size, sha256, created_at, updated_at)
     SELECT id, $2, $3, $4, 'starter.zip', 'application/zip', $5, $6, now(), now() FROM unnest($1::text[]) id`,
    [ids, institutionId, exam_id, status, bytes.length, digestOf(bytes)],
  );
  return ids;
}

/** What a test chooses of a file of an attempt. */
export interface AttemptFileFields {
  kind: 'attachment' | 'recording';
  status: 'storing' | 'stored' | 'removed';
  filename: string;
  bytes: Buffer;
}

/** A file of an attempt, its row and its bytes: a stored attachment unless it says otherwise. Returns its id. */
export async function seedAttemptFile({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, attemptId: string, fields: Partial<AttemptFileFields> = {}): Promise<string> {
  const { kind, status, filename, bytes } = { kind: 'attachment', status: 'stored', filename: 'essay.pdf', bytes: randomBytes(64), ...fields };
  const id = newId('file');
  const sha256 = digestOf(bytes);
  await api.domain.database.sql(
    `INSERT INTO files (id, institution_id, attempt_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'application/pdf', $7, $8, now(), now())`,
    [id, institutionId, attemptId, kind, status, filename, bytes.length, sha256],
  );
  const path = join(tmpdir(), id);
  await writeFile(path, bytes);
  await api.domain.files.put(id, { path, size: bytes.length, sha256, contentType: 'application/pdf' });
  return id;
}
