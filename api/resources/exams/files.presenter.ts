import type { TakenFile } from '../../../db/repositories/files';

/** A file as the upload answers it. */
export function presentFile({ id, filename, size, sha256, content_type }: TakenFile): object {
  return { ref: id, file: { id }, filename, size, sha256, content_type };
}
