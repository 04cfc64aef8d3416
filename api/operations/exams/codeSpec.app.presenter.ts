import type { InstitutionScope } from '../../../db/database';
import type { CodeSpec, FileReference } from '../../../db/repositories/exams/columns';
import { findFiles, type FileRow } from '../../../db/repositories/files/files';
import { specFiles } from '../../../domain/exams/codeSpec';
import type { FileStore } from '../../../domain/files/fileStore';
import { presentCodeSpec } from './exams.presenter';

/** A coding spec as its student's app has it: without the rubric, each stored file with a URL for this student that is valid for one hour. */
export async function presentStudentCodeSpec(reads: InstitutionScope, store: FileStore, spec: CodeSpec, { studentId, now }: { studentId: string; now: Date }): Promise<object> {
  const files = await findFiles(reads, specFiles(spec).map(({ fileId }) => fileId));
  const urls = new Map(await Promise.all(files.map(async (file) => [file.id, await signUrl(store, file, studentId, now)] as const)));
  const signedFile = ({ id }: FileReference): object => ({ id, ...urls.get(id) });
  const withUrl = (part: CodeSpec['starter' | 'sample_tests' | 'hidden_tests']): object | null =>
    part !== null && 'file' in part ? { ...part, file: signedFile(part.file) } : part;
  const { rubric_md: _rubric, ...seen } = presentCodeSpec(spec);
  return {
    ...seen,
    starter: withUrl(spec.starter),
    sample_tests: withUrl(spec.sample_tests),
    hidden_tests: withUrl(spec.hidden_tests),
  };
}

async function signUrl(store: FileStore, { id, filename, content_type: contentType }: FileRow, reader: string, now: Date): Promise<object> {
  const { url, expiresAt } = await store.signedUrl({ id, filename, contentType, reader }, now);
  return { url, url_expires_at: expiresAt.toISOString() };
}
