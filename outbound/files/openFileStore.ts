import type { FileStoreSettings } from '../../config/fileStoreUrl';
import type { FileStore } from '../../domain/files/fileStore';
import type { SecretBox } from '../../domain/secrets/secretBox';
import { createFolderStore } from './folderStore';
import { openS3Store } from './s3Store';

/** The settings of a file store. */
export interface FileStoreOptions {
  fileStore: FileStoreSettings;
  publicBaseUrl: string;
}

/** Opens the store of the settings; call `close` when the process ends. */
export async function openFileStore({ fileStore, publicBaseUrl }: FileStoreOptions, secrets: SecretBox): Promise<FileStore & { close(): void }> {
  if (fileStore.kind === 's3') return openS3Store(fileStore);
  return { ...createFolderStore({ folder: fileStore.folder, publicBaseUrl, secrets }), close: () => undefined };
}
