import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { CodeSpec } from '../../db/repositories/exams/columns';
import { newId } from '../../domain/ids';
import type { TestApi, TestInstitution } from './api';
import { seedExam } from './examRows';

/** A file as it was planted. */
export interface SeededFile {
  id: string;
  /** Hex SHA-256 of its bytes. */
  sha256: string;
}

/** What a test chooses of a planted file. */
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

/** The rows of so many files of an exam, stored unless they say otherwise, of which nothing is in the store; answers their ids. */
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

/** A coding spec without files, every field present and none as it would be by default. */
export const fullSpec: CodeSpec = {
  v: 1,
  brief_md: '# Sum\n\n\tWrite a function that adds two numbers.',
  toolchain: 'python',
  starter: { kind: 'empty' },
  sample_tests: { kind: 'inline', files: [{ path: 'tests/test_sum.py', content: 'def test_sum(): ...\n' }] },
  hidden_tests: null,
  commands: { setup: 'pip install -r {{workspace}}/requirements.txt', run: 'python main.py', test_sample: 'pytest', test_hidden: 'pytest {{hidden}}', timeout_ms: 30_000 },
  ai_policy: { allowed: true, model_tier: 'local' },
  rubric_md: '2 points for each passed test.',
  exclude_globs: ['node_modules/**'],
};

/** The base64 text of so many bytes, all of one value. */
export const base64 = (bytes: number, value = 7): string => Buffer.alloc(bytes, value).toString('base64');

/** Hidden tests whose ciphertext is this file. */
export const hiddenTestsIn = ({ id, sha256 }: SeededFile): NonNullable<CodeSpec['hidden_tests']> => ({
  kind: 'zip-encrypted',
  file: { id },
  iv_b64: base64(12),
  sha256,
});
