import type { FileStoreSettings } from '../../config/fileStoreUrl';
import type { FileStore } from '../../domain/files/fileStore';
import type { SecretBox } from '../../domain/secrets/secretBox';
import { createFolderStore } from './folderStore';
import { createS3Store } from './s3Store';

/** What of the settings a file store needs. */
export interface FileStoreParts {
  fileStore: FileStoreSettings;
  publicBaseUrl: string;
}

/** The store that the settings name; `close` it when the process ends. */
export function openFileStore({ fileStore, publicBaseUrl }: FileStoreParts, secrets: SecretBox): FileStore & { close(): void } {
  if (fileStore.kind === 's3') return createS3Store(fileStore);
  return { ...createFolderStore({ folder: fileStore.folder, publicBaseUrl, secrets }), close: () => undefined };
}
