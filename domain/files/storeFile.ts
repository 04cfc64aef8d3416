import { finishUpload, type FileRow } from '../../db/repositories/files/files';
import { unaudited } from '../audit/auditedCall';
import type { Caller, Domain, Transaction } from '../context';
import type { DomainError } from '../errors';
import { newId } from '../ids';
import { transact } from '../transact';
import type { SpooledFile } from './fileStore';

/** What a file is kept for. */
export interface FileOwner {
  /** Writes the file's row, as `storing`, where its owner may have it; raises where it may not. */
  write: (tx: Transaction, file: FileRow) => Promise<void>;
  /** What changes with the file's being there, in the transaction that says so; nothing where left out. */
  whenStored?: (tx: Transaction) => Promise<void>;
  /** What is raised when the file was given up while its bytes were being kept. */
  goneError: () => DomainError;
}

/**
 * Keeps an upload: first its row, then its bytes in the store, then the row says so. Whatever a crash leaves in between,
 * housekeeping finds by its row.
 */
export async function storeFile(domain: Domain, caller: Caller, spooled: SpooledFile, owner: FileOwner): Promise<FileRow> {
  const { size, sha256, filename, contentType } = spooled;
  const file = { id: newId('file'), size, sha256, filename, content_type: contentType };
  await transact(domain, unaudited(caller), (tx) => owner.write(tx, file));
  try {
    await domain.files.put(file.id, spooled);
  } catch (error) {
    // It no longer counts; where this fails too, housekeeping takes it a day later.
    await transact(domain, unaudited(caller), (tx) => finishUpload(tx, file.id, 'removed', tx.now)).catch(() => undefined);
    throw error;
  }
  const gone = owner.goneError();
  try {
    return await transact(domain, caller, async (tx) => {
      if (!(await finishUpload(tx, file.id, 'stored', tx.now))) throw gone;
      await owner.whenStored?.(tx);
      return file;
    });
  } catch (error) {
    if (error === gone) await domain.files.delete(file.id);
    throw error;
  }
}
