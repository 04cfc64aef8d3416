import { deleteFileRows, collectRemovedFiles, removeUnusedFiles } from '../../db/repositories/files/files';
import { foldInstitutionBytes, institutionsToFold } from '../../db/repositories/quotas/storedBytes';
import { inTransaction, noInstitution } from '../../db/transaction';
import type { Domain } from '../context';

/** Maximum number of concurrent deletes in the file store. */
const deleteConcurrency = 10;

/** Maximum number of institutions of which the rows that count their bytes are folded. */
const institutionsFolded = 1_000;

/**
 * Deletes one chunk of files from the store, then their rows, and returns how many: removed files, files that no exam has
 * or uses any more, and uploads begun before `storingSince` and never finished. Rethrows an error of the store after the
 * rows of deleted files are gone. Before that it folds the rows by which the bytes of institutions are counted.
 */
export async function deleteFiles({ database, files }: Pick<Domain, 'database' | 'files'>, { storingSince, now }: { storingSince: Date; now: Date }, limit: number): Promise<number> {
  await inTransaction(database, noInstitution, ({ sql }) => removeUnusedFiles(sql, now, limit));
  for (const institutionId of await institutionsToFold(database.sql, institutionsFolded)) await foldInstitutionBytes({ institutionId, sql: database.sql });
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
