import { abandonUploads, eraseExportRows, eraseRowsOfFiles, listArchivesOf, listFilesOf } from '../../db/repositories/erasure/files';
import { eraseEventDetails, eraseOwnRows, listAttempts, listOwnRows, type OwnRowsName } from '../../db/repositories/erasure/ownRows';
import type { EraseChunk } from './chunk';

/** Maximum number of rows, of attempts and of files in a chunk, and of files at a time. */
const rowsPerChunk = 500;
const attemptsPerChunk = 5;
const filesPerChunk = 100;
const concurrentFiles = 10;

/** Returns what erases rows of the person in these tables; the place is the table's index and the last id. */
export const ownRows =
  (...names: OwnRowsName[]): EraseChunk =>
  async ({ scope, personId, place, remove }) => {
    const [table = '', after = ''] = place.split('|');
    const index = Number(table);
    const name = names[index];
    if (name === undefined) return null;
    const ids = await listOwnRows(scope, name, personId, after, rowsPerChunk);
    if (ids.length > 0) await remove((tx) => eraseOwnRows(tx, name, ids));
    if (ids.length === rowsPerChunk) return `${index}|${ids.at(-1) ?? ''}`;
    return index + 1 < names.length ? `${index + 1}|` : null;
  };

/** Removes the details of proctoring events; what was counted of them stays. */
export const eraseProctoring: EraseChunk = async ({ scope, personId, place, remove }) => {
  const ids = await listAttempts(scope, personId, place, attemptsPerChunk);
  if (ids.length > 0) await remove((tx) => eraseEventDetails(tx, ids));
  return ids.length === attemptsPerChunk ? (ids.at(-1) ?? null) : null;
};

/**
 * Returns what deletes files from the store, then their rows: what a crash leaves is found again. The row of an unfinished upload
 * stays, without its name, until housekeeping deletes what has arrived.
 */
const eraseFilesOf = (list: typeof listFilesOf): EraseChunk => async ({ domain, scope, personId, remove }) => {
  const ids = await list(scope, personId, filesPerChunk);
  if (ids.length === 0) return null;
  await remove((tx) => abandonUploads(tx, ids));
  for (let begun = 0; begun < ids.length; begun += concurrentFiles) {
    await Promise.all(ids.slice(begun, begun + concurrentFiles).map((id) => domain.files.delete(id)));
  }
  await remove((tx) => eraseRowsOfFiles(tx, ids));
  return ids.length === filesPerChunk ? 'more' : null;
};

/** Deletes files and recordings of a student's attempts. */
export const eraseFiles = eraseFilesOf(listFilesOf);

const eraseArchives = eraseFilesOf(listArchivesOf);

/** Deletes the exports of a person, then their archives: an export that is being prepared stores none any more. */
export const eraseExports: EraseChunk = async (chunk) => {
  const { personId, place, remove } = chunk;
  if (place === '') await remove((tx) => eraseExportRows(tx, personId));
  return eraseArchives(chunk);
};
