import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { suspendBodyDeadline } from './deadlines';
import type { Upload, UploadFields } from '../operation';
import { receiveFile } from './multipart';

/** Where uploads are stored until they are complete, and how much is accepted. */
export interface UploadLimits {
  spoolFolder: string;
  maxBytes: number;
  /** How long a client may send nothing, in ms; 30 s unless said otherwise. */
  idleMs?: number;
}

/** An upload with its end: in any case its temporary file is removed. */
export interface OpenUpload extends Upload {
  discard(): Promise<void>;
}

const defaultIdleMs = 30_000;

/** The upload of one request; nothing of it is read before the handler asks for it. */
export function openUpload(request: IncomingMessage, { spoolFolder, maxBytes, idleMs = defaultIdleMs }: UploadLimits, fields: UploadFields = {}): OpenUpload {
  const path = join(spoolFolder, `${randomUUID()}.upload`);
  let received: ReturnType<Upload['receive']> | undefined;
  const receive: Upload['receive'] = async () => {
    await mkdir(spoolFolder, { recursive: true });
    const restoreDeadline = suspendBodyDeadline(request);
    try {
      return await receiveFile(request, path, { maxBytes, idleMs }, fields);
    } finally {
      // What is left of a refused upload is let run out, for no longer than any other body.
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
