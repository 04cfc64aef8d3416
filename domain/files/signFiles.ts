import type { FileRow } from '../../db/repositories/files/files';
import type { FileStore } from './fileStore';

/** A file with a URL that anyone can fetch until it expires. */
export type Signed<File> = File & { url: string; url_expires_at: Date };

/** Returns the files, in their order, with URLs that are valid for one hour from `now`; downloads of one `reader` are counted together. */
export function signFiles<File extends Pick<FileRow, 'id' | 'filename' | 'content_type'>>(store: FileStore, files: readonly File[], now: Date, reader?: string): Promise<Signed<File>[]> {
  return Promise.all(
    files.map(async (file) => {
      const { id, filename, content_type: contentType } = file;
      const { url, expiresAt } = await store.signedUrl({ id, filename, contentType, ...(reader === undefined ? {} : { reader }) }, now);
      return { ...file, url, url_expires_at: expiresAt };
    }),
  );
}
