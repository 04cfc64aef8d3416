import type { FileRow } from '../../../db/repositories/files/files';
import type { StoredFileResponse } from './files.schemas';

/** A file in the response to its upload. */
export function presentFile({ id, filename, size, sha256, content_type }: FileRow): StoredFileResponse {
  return { ref: id, file: { id }, filename, size, sha256, content_type };
}
