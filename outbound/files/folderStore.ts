import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../../domain/files/fileStore';
import { signFileUrl, signReader, urlExpiry } from '../../domain/files/fileUrls';
import { isDiskFull, noSpace } from '../../domain/files/noSpace';
import type { SecretBox } from '../../domain/secrets/secretBox';

/** A folder shared by every API process and worker, and the base URL of the API that serves its files. */
export interface FolderStoreOptions {
  folder: string;
  /** The base URL of `/files/<id>`; ends with `/v1`. */
  publicBaseUrl: string;
  secrets: Pick<SecretBox, 'fingerprint'>;
}

const isOtherFileSystem = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && error.code === 'EXDEV';

/** Moves a file, also from another file system; the new name never refers to an incomplete file, and none is left. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isOtherFileSystem(error)) throw error;
    await copyAndRename(from, to);
  }
}

async function copyAndRename(from: string, to: string): Promise<void> {
  const part = `${to}.part`;
  try {
    await copyFile(from, part);
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Returns a store in a folder, with subfolders by the last two characters of the ids, which are random. The API itself serves its URLs. */
export function createFolderStore({ folder, publicBaseUrl, secrets }: FolderStoreOptions): FileStore {
  const locate = (id: string): { directory: string; path: string } => {
    if (!/^[a-z]+_[a-z0-9]{2,}$/.test(id)) throw new Error('Not the id of a file');
    const directory = join(folder, id.slice(-2));
    return { directory, path: join(directory, id) };
  };
  return {
    put: async (id, { path: spooled }) => {
      const { directory, path } = locate(id);
      try {
        await mkdir(directory, { recursive: true });
        await move(spooled, path);
      } catch (error) {
        throw isDiskFull(error) ? noSpace() : error;
      }
    },
    open: async (id) => (await open(locate(id).path)).createReadStream(),
    delete: async (id) => {
      const { path } = locate(id);
      await rm(path, { force: true });
      await rm(`${path}.part`, { force: true });
    },
    signedUrl: ({ id, reader }, now) => {
      const expires = urlExpiry(now);
      const query = new URLSearchParams({ expires: String(expires), signature: signFileUrl(secrets, id, expires), reader: signReader(secrets, id, expires, reader) });
      return Promise.resolve({ url: `${publicBaseUrl}/files/${id}?${query.toString()}`, expiresAt: new Date(expires * 1_000) });
    },
  };
}
