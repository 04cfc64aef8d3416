import type { FileRow } from '../../../db/repositories/files/files';
import type { StoredFileResponse } from './files.schemas';

/** A file as the upload answers it. */
export function presentFile({ id, filename, size, sha256, content_type }: FileRow): StoredFileResponse {
  return { ref: id, file: { id }, filename, size, sha256, content_type };
}
