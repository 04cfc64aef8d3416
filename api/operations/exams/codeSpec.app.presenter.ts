import type { FileReference } from '../../../db/repositories/exams/columns';
import type { SignedCodeSpec } from '../../../domain/exams/signSpecFiles';
import { presentCodeSpec } from './exams.presenter';
import type { SignedFile, StudentCodeSpecResponse } from './exams.app.schemas';

/** A coding spec as its student's app has it: without the rubric, each stored file with its URL. */
export function presentStudentCodeSpec({ spec, files }: SignedCodeSpec): StudentCodeSpecResponse {
  const filesById = new Map(files.map((file) => [file.id, file]));
  const sign = ({ id }: FileReference): SignedFile => {
    const signed = filesById.get(id);
    if (signed === undefined) throw new Error(`The spec names a file that is not stored: ${id}`);
    return { id, url: signed.url, url_expires_at: signed.url_expires_at.toISOString() };
  };
  const { rubric_md: _rubric, starter, sample_tests: sample, hidden_tests: hidden, ...seen } = presentCodeSpec(spec);
  return {
    ...seen,
    starter: starter.kind === 'zip' ? { ...starter, file: sign(starter.file) } : starter,
    sample_tests: sample?.kind === 'zip' ? { ...sample, file: sign(sample.file) } : sample,
    hidden_tests: hidden === null ? null : { ...hidden, file: sign(hidden.file) },
  };
}
