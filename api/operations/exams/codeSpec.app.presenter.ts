import type { InstitutionScope } from '../../../db/database';
import type { CodeSpec, FileReference } from '../../../db/repositories/exams/columns';
import { findFiles, type FileRow } from '../../../db/repositories/files/files';
import { specFiles } from '../../../domain/exams/codeSpec';
import type { FileStore } from '../../../domain/files/fileStore';
import { presentCodeSpec } from './exams.presenter';
import type { SignedFile, StudentCodeSpecResponse } from './exams.app.schemas';

/** A coding spec in its student's app: without the rubric, each stored file with a URL for this student that is valid for one hour. */
export async function presentStudentCodeSpec(reads: InstitutionScope, store: FileStore, spec: CodeSpec, { studentId, now }: { studentId: string; now: Date }): Promise<StudentCodeSpecResponse> {
  const files = await findFiles(reads, specFiles(spec).map(({ fileId }) => fileId));
  const urls = new Map(await Promise.all(files.map(async (file) => [file.id, await signUrl(store, file, studentId, now)] as const)));
  const sign = ({ id }: FileReference): SignedFile => {
    const signed = urls.get(id);
    if (signed === undefined) throw new Error(`The spec names a file that is not stored: ${id}`);
    return { id, ...signed };
  };
  const { rubric_md: _rubric, starter, sample_tests: sample, hidden_tests: hidden, ...seen } = presentCodeSpec(spec);
  return {
    ...seen,
    starter: starter.kind === 'zip' ? { ...starter, file: sign(starter.file) } : starter,
    sample_tests: sample?.kind === 'zip' ? { ...sample, file: sign(sample.file) } : sample,
    hidden_tests: hidden === null ? null : { ...hidden, file: sign(hidden.file) },
  };
}

async function signUrl(store: FileStore, { id, filename, content_type: contentType }: FileRow, reader: string, now: Date): Promise<Omit<SignedFile, 'id'>> {
  const { url, expiresAt } = await store.signedUrl({ id, filename, contentType, reader }, now);
  return { url, url_expires_at: expiresAt.toISOString() };
}
