import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { requireSpace } from '../../../domain/files/noSpace';
import { suspendBodyDeadline } from './deadlines';
import type { Upload, UploadFields } from '../operation';
import { receiveFile } from './multipart';

/** Where uploads are stored until they are complete, and how much is accepted. */
export interface UploadLimits {
  spoolFolder: string;
  maxBytes: number;
  /** How long a client may pause, in ms; 30 s by default. */
  idleMs?: number;
  /** Whether the disks have free space for uploads; they always have by default. */
  hasSpace?: () => Promise<boolean>;
}

/** An upload, and the function that removes its temporary file. */
export interface OpenUpload extends Upload {
  discard(): Promise<void>;
}

const defaultIdleMs = 30_000;

/** Returns the upload of a request; nothing is read before the handler calls `receive`. */
export function openUpload(request: IncomingMessage, { spoolFolder, maxBytes, idleMs = defaultIdleMs, hasSpace = () => Promise.resolve(true) }: UploadLimits, fields: UploadFields = {}): OpenUpload {
  const path = join(spoolFolder, `${randomUUID()}.upload`);
  let received: ReturnType<Upload['receive']> | undefined;
  const receive: Upload['receive'] = async () => {
    await requireSpace(hasSpace);
    await mkdir(spoolFolder, { recursive: true });
    const restoreDeadline = suspendBodyDeadline(request);
    try {
      return await receiveFile(request, path, { maxBytes, idleMs, hasSpace }, fields);
    } finally {
      // The rest of a rejected upload is read and discarded, for as long as any other body may take.
      restoreDeadline();
    }
  };
  return {
    receive: () => (received ??= receive()),
    discard: async () => {
      await received?.catch(() => undefined);
      if (received !== undefined) await rm(path, { force: true });
    },
  };
}
