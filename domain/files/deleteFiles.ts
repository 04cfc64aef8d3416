import { forgetFiles, giveUpFiles } from '../../db/repositories/files';
import type { Domain } from '../context';

/** Deletes that the store is asked for side by side. */
const atOnce = 10;

/**
 * Deletes one chunk of the files that are removed, and of those that began to be stored before `storingSince` and never
 * were: from the store, then their rows. Answers how many; raises what the store raised, once all that went are forgotten.
 */
export async function deleteFiles({ database, files }: Pick<Domain, 'database' | 'files'>, storingSince: Date, limit: number): Promise<number> {
  const ids = await giveUpFiles(database.sql, storingSince, limit);
  for (let begun = 0; begun < ids.length; begun += atOnce) {
    const chunk = ids.slice(begun, begun + atOnce);
    const ended = await Promise.allSettled(chunk.map((id) => files.delete(id)));
    await forgetFiles(database.sql, chunk.filter((_id, index) => ended[index]?.status === 'fulfilled'));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
  return ids.length;
}
