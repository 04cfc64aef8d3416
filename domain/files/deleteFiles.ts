import { deleteFileRows, collectRemovedFiles, removeUnusedFiles } from '../../db/repositories/files/files';
import { inTransaction } from '../../db/transaction';
import type { Domain } from '../context';

/** Deletes that the store is asked for side by side. */
const deleteConcurrency = 10;

/** What is done for no institution in particular. */
const noInstitution = '';

/**
 * Deletes one chunk of the files that are removed, of those that no exam has or uses any more, and of those that began to be stored before `storingSince` and never
 * were: from the store, then their rows. Answers how many; raises what the store raised, once all that went are forgotten.
 */
export async function deleteFiles({ database, files }: Pick<Domain, 'database' | 'files'>, { storingSince, now }: { storingSince: Date; now: Date }, limit: number): Promise<number> {
  await inTransaction(database, noInstitution, ({ sql }) => removeUnusedFiles(sql, now, limit));
  const ids = await collectRemovedFiles(database.sql, storingSince, limit);
  for (let begun = 0; begun < ids.length; begun += deleteConcurrency) {
    const chunk = ids.slice(begun, begun + deleteConcurrency);
    const ended = await Promise.allSettled(chunk.map((id) => files.delete(id)));
    await deleteFileRows(database.sql, chunk.filter((_id, index) => ended[index]?.status === 'fulfilled'));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
  return ids.length;
}
