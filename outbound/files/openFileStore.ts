import type { FileStoreSettings } from '../../config/fileStoreUrl';
import type { FileStore } from '../../domain/files/fileStore';
import type { SecretBox } from '../../domain/secrets/secretBox';
import { createFolderStore } from './folderStore';

/** What of the settings a file store needs. */
export interface FileStoreParts {
  fileStore: FileStoreSettings;
  publicBaseUrl: string;
}

/** The store that the settings name. */
export function openFileStore({ fileStore, publicBaseUrl }: FileStoreParts, secrets: SecretBox): FileStore {
  if (fileStore.kind === 'folder') return createFolderStore({ folder: fileStore.folder, publicBaseUrl, secrets });
  throw new Error('No driver for S3 yet');
}
