import type { FileRow } from '../../../db/repositories/files/files';

/** A file as the upload answers it. */
export function presentFile({ id, filename, size, sha256, content_type }: FileRow): object {
  return { ref: id, file: { id }, filename, size, sha256, content_type };
}
