import type { InstitutionScope } from '../../db/database';
import type { CodeSpec } from '../../db/repositories/exams/columns';
import { findFiles, type FileRow } from '../../db/repositories/files/files';
import type { FileStore } from '../files/fileStore';
import { signFiles, type Signed } from '../files/signFiles';
import { specFiles } from './codeSpec';

/** A coding spec with its stored files, signed. */
export interface SignedCodeSpec {
  spec: CodeSpec;
  files: readonly Signed<FileRow>[];
}

/** Returns a coding spec with its stored files, each with a URL for this student that is valid for one hour; null without a spec. */
export async function signSpecFiles(scope: InstitutionScope, store: FileStore, spec: CodeSpec | null, { studentId, now }: { studentId: string; now: Date }): Promise<SignedCodeSpec | null> {
  if (spec === null) return null;
  const files = await findFiles(scope, specFiles(spec).map(({ fileId }) => fileId));
  return { spec, files: await signFiles(store, files, now, studentId) };
}
