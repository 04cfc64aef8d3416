import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../domain/ids';
import type { TestApi, TestInstitution } from './api';

/** What a test chooses of a file of an attempt. */
export interface AttemptFileFields {
  kind: 'attachment' | 'recording';
  status: 'storing' | 'stored' | 'removed';
  filename: string;
  bytes: Buffer;
}

/** A file of an attempt, its row and its bytes: a stored attachment unless it says otherwise. Answers its id. */
export async function seedAttemptFile({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, attemptId: string, fields: Partial<AttemptFileFields> = {}): Promise<string> {
  const { kind, status, filename, bytes } = { kind: 'attachment', status: 'stored', filename: 'essay.pdf', bytes: randomBytes(64), ...fields };
  const id = newId('file');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
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
