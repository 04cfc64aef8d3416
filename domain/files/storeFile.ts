import { finishUpload, type FileRow } from '../../db/repositories/files/files';
import { unaudited } from '../audit/auditedCall';
import type { Caller, Domain, Transaction } from '../context';
import type { DomainError } from '../errors';
import type { OnceResult } from '../idempotency/transactOnce';
import { newId } from '../ids';
import { transact } from '../transact';
import type { SpooledFile } from './fileStore';

/** The owner of a file. */
export interface FileOwner {
  /** Writes the file's row, as `storing`, if its owner accepts it; fails otherwise. */
  write: (tx: Transaction, file: FileRow) => Promise<void>;
  /** Called in the transaction that marks the file as stored; optional. */
  onStored?: (tx: Transaction) => Promise<void>;
  /** Returns the error if the file was removed while its bytes were being stored. */
  goneError: () => DomainError;
}

/** Commits the transaction that marks a file as stored, at most once for the call's idempotency key; its result is what the call answers. */
export type CommitFile<Answer> = (work: (tx: Transaction) => Promise<FileRow>) => Promise<OnceResult<Answer>>;

/**
 * Stores an upload: first its row, then its bytes in the store, then marks the row as stored. Housekeeping finds what a
 * crash leaves in between by its row, and the file of a call that another with its idempotency key came before.
 */
export async function storeFile<Answer>(domain: Domain, caller: Caller, spooled: SpooledFile, owner: FileOwner, commit: CommitFile<Answer>): Promise<Answer> {
  const { size, sha256, filename, contentType } = spooled;
  const file = { id: newId('file'), size, sha256, filename, content_type: contentType };
  // Nobody sees the row before it is marked: until then the call has done nothing, and may be sent again.
  const { progress: _, ...unseen } = unaudited(caller);
  const drop = (): Promise<unknown> => transact(domain, unseen, (tx) => finishUpload(tx, file.id, 'removed', tx.now));
  await transact(domain, unseen, (tx) => owner.write(tx, file));
  try {
    await domain.files.put(file.id, spooled);
  } catch (error) {
    // The file no longer counts; if this fails too, housekeeping deletes it a day later.
    await drop().catch(() => undefined);
    throw error;
  }
  const gone = owner.goneError();
  try {
    const { result, replayed } = await commit(async (tx) => {
      if (!(await finishUpload(tx, file.id, 'stored', tx.now))) throw gone;
      await owner.onStored?.(tx);
      return file;
    });
    if (replayed) await drop();
    return result;
  } catch (error) {
    if (error === gone) await domain.files.delete(file.id);
    throw error;
  }
}
