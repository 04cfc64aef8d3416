import { isDeepStrictEqual } from 'node:util';
import type { CodeSpec } from '../../db/repositories/exams/columns';
import { replaceExamFiles, lockFilesForShare, type ExamFileUse, type FileRow } from '../../db/repositories/files/files';
import { readConfig } from '../../db/repositories/institutions/profile';
import type { Transaction } from '../context';
import { validationError, type Issue } from '../errors';
import { codeSpecBounds } from './limits';

/** A coding spec as sent by an integrator: its form is already validated, optional fields may be absent. */
export type CodeSpecInput = Pick<CodeSpec, 'v' | 'brief_md' | 'toolchain'> & {
  [Field in 'starter' | 'sample_tests' | 'hidden_tests' | 'rubric_md' | 'exclude_globs']?: CodeSpec[Field] | undefined;
} & {
  commands: { [Field in keyof CodeSpec['commands']]?: CodeSpec['commands'][Field] | undefined };
  ai_policy?: { allowed: boolean; model_tier?: 'any' | 'cloud' | 'local' | undefined } | null | undefined;
};

/** Returns the spec with defaults for every absent field. */
function withDefaults(input: CodeSpecInput): CodeSpec {
  const { v, brief_md, toolchain, commands, ai_policy: policy } = input;
  const hidden = input.hidden_tests ?? null;
  return {
    v,
    brief_md,
    toolchain,
    starter: input.starter ?? { kind: 'empty' },
    sample_tests: input.sample_tests ?? null,
    hidden_tests: hidden === null ? null : { ...hidden, sha256: hidden.sha256.toLowerCase() },
    commands: {
      setup: commands.setup ?? null,
      run: commands.run ?? null,
      test_sample: commands.test_sample ?? null,
      test_hidden: commands.test_hidden ?? null,
      timeout_ms: commands.timeout_ms ?? codeSpecBounds.timeoutMs.default,
    },
    ai_policy: policy == null ? null : { allowed: policy.allowed, model_tier: policy.model_tier ?? 'any' },
    rubric_md: input.rubric_md ?? null,
    exclude_globs: input.exclude_globs ?? [],
  };
}

/** Whether the requested spec, with defaults, equals the stored one. */
export const isSpecUnchanged = (before: CodeSpec | null, wanted: CodeSpecInput | null): boolean =>
  isDeepStrictEqual(wanted === null ? null : withDefaults(wanted), before);

/** Returns the stored files that a spec names, by the part that names them. */
export function specFiles({ starter, sample_tests: sample, hidden_tests: hidden }: CodeSpec): ExamFileUse[] {
  return [
    ...(starter.kind === 'zip' ? [{ part: 'starter' as const, fileId: starter.file.id }] : []),
    ...(sample?.kind === 'zip' ? [{ part: 'sample_tests' as const, fileId: sample.file.id }] : []),
    ...(hidden === null ? [] : [{ part: 'hidden_tests' as const, fileId: hidden.file.id }]),
  ];
}

/** Returns the problems with the files that a spec names. A file of another institution counts as unknown. */
function fileIssues(spec: CodeSpec, files: ReadonlyMap<string, FileRow>): Issue[] {
  const unknown = specFiles(spec).filter(({ fileId }) => !files.has(fileId));
  const issues = unknown.map(({ part }) => ({ path: `code_spec.${part}.file.id`, message: 'names no stored file of this institution' }));
  const ciphertext = spec.hidden_tests === null ? undefined : files.get(spec.hidden_tests.file.id);
  const differs = ciphertext !== undefined && ciphertext.sha256 !== spec.hidden_tests?.sha256;
  return differs ? [...issues, { path: 'code_spec.hidden_tests.sha256', message: 'is not the SHA-256 of the stored file' }] : issues;
}

/**
 * Completes and validates a coding spec against the institution: its toolchain must be allowed, its files stored, and the
 * hidden tests' digest correct. `validation_error` with every problem and its path (section code_spec). The files are
 * locked until the commit.
 */
export async function validateCodeSpec(tx: Transaction, input: CodeSpecInput): Promise<CodeSpec> {
  const spec = withDefaults(input);
  const [config, files] = [await readConfig(tx), await lockFilesForShare(tx, specFiles(spec).map(({ fileId }) => fileId))];
  const allowed = config?.allowed_toolchains ?? [];
  const issues = fileIssues(spec, new Map(files.map((file) => [file.id, file])));
  if (!allowed.includes(spec.toolchain)) {
    issues.unshift({ path: 'code_spec.toolchain', message: `must be one of the toolchains that the institution allows: ${allowed.join(', ') || 'none'}` });
  }
  if (issues.length > 0) throw validationError(...issues);
  return spec;
}

/** Replaces the files that an exam's spec uses; files that no exam uses are released for deletion. */
export async function replaceSpecFiles(tx: Transaction, examId: string, spec: CodeSpec | null): Promise<void> {
  await replaceExamFiles(tx, examId, spec === null ? [] : specFiles(spec));
}
