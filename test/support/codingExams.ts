import type { CodeSpec } from '../../db/repositories/exams/columns';
import type { SeededFile } from './seed/files';

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

/** Returns the base64 of this many equal bytes. */
export const base64 = (bytes: number, value = 7): string => Buffer.alloc(bytes, value).toString('base64');

/** Hidden tests whose ciphertext is this file. */
export const hiddenTestsIn = ({ id, sha256 }: SeededFile): NonNullable<CodeSpec['hidden_tests']> => ({
  kind: 'zip-encrypted',
  file: { id },
  iv_b64: base64(12),
  sha256,
});
