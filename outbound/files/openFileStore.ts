import type { FileStoreSettings } from '../../config/fileStoreUrl';
import type { FileStore } from '../../domain/files/fileStore';
import type { SecretBox } from '../../domain/secrets/secretBox';
import { createFolderStore } from './folderStore';
import { openS3Store } from './s3Store';

/** What of the settings a file store needs. */
export interface FileStoreOptions {
  fileStore: FileStoreSettings;
  publicBaseUrl: string;
}

/** The store that the settings name; `close` it when the process ends. */
export async function openFileStore({ fileStore, publicBaseUrl }: FileStoreOptions, secrets: SecretBox): Promise<FileStore & { close(): void }> {
  if (fileStore.kind === 's3') return openS3Store(fileStore);
  return { ...createFolderStore({ folder: fileStore.folder, publicBaseUrl, secrets }), close: () => undefined };
}
