import { createKeyedSemaphore, type KeyedSemaphore } from '../../../lib/keyedSemaphore';
import { DomainError } from '../../../domain/errors';
import type { Throughput } from './minimumThroughput';

/** What the downloads of the folder store may hold of a process: nobody counts these calls, and a URL may be in many hands. */
export interface DownloadLimits {
  /** Downloads at the same time. */
  perProcess: number;
  perInstitution: number;
  perFile: number;
  /** Of a file by one reader, a person or who was handed a URL; what is beyond is refused at once. */
  perReader: number;
  /** How long a download waits for a place among those of its file and institution, in ms. */
  acquireTimeoutMs: number;
  /** How many wait for each file, and for each institution; what is beyond is refused at once. */
  maxWaiting: number;
  /** What a client takes at least. */
  throughput: Throughput;
  /** How long after its URL has expired a download may go on, in ms. */
  graceMs: number;
}

/**
 * No two institutions fill the process, no file an institution, and no reader a file. A class of 30 on a line of 2 Mbit/s takes 8 KiB a second
 * each, twice what is asked; two minutes, because the kernel's buffers empty in large steps on such a line. What is begun in
 * the last second of a URL has 15 minutes: 50 MiB at 58 KiB a second.
 */
export const defaultDownloadLimits: DownloadLimits = {
  perProcess: 500,
  perInstitution: 200,
  perFile: 100,
  perReader: 4,
  acquireTimeoutMs: 10_000,
  maxWaiting: 100,
  throughput: { bytes: 512 * 1024, withinMs: 120_000 },
  graceMs: 15 * 60_000,
};

/** The slots for downloads. */
export interface DownloadSlots {
  /**
   * Resolves once the download has a slot, which it keeps until the signal aborts; `rate_limited` if there is none in
   * time. Downloads without a `reader` share half the slots of a file.
   */
  acquireUntil(file: { id: string; institution_id: string }, reader: string | undefined, until: AbortSignal): Promise<void>;
}

/** The slots in one process. */
export function createDownloadSlots({ perProcess, perInstitution, perFile, perReader, acquireTimeoutMs, maxWaiting }: DownloadLimits): DownloadSlots {
  const createLimit = (most: number, wait: { ms: number; most: number }, what: string): KeyedSemaphore =>
    createKeyedSemaphore(most, wait.ms, () => new DomainError('rate_limited', `Too many downloads ${what} are under way; try again.`), wait.most);
  const [queued, withoutQueue] = [{ ms: acquireTimeoutMs, most: maxWaiting }, { ms: 0, most: 0 }];
  const readers = createLimit(perReader, withoutQueue, 'of this file by this reader');
  const anonymousReaders = createLimit(Math.ceil(perFile / 2), queued, 'of this file');
  const files = createLimit(perFile, queued, 'of this file');
  const institutions = createLimit(perInstitution, queued, 'of this institution');
  // Nobody waits for those of everybody: the line would be as long as there are clients.
  const all = createLimit(perProcess, withoutQueue, 'of all institutions');
  return {
    acquireUntil: async ({ id, institution_id: institutionId }, reader, until) => {
      // Who waits counts as well, so that no reader fills a line either.
      if (reader === undefined) await anonymousReaders.acquireUntil(id, until);
      else await readers.acquireUntil(`${id} ${reader}`, until);
      // What waits for its file holds nothing of its institution's, and what waits for that holds nothing of the others'.
      await files.acquireUntil(id, until);
      await institutions.acquireUntil(institutionId, until);
      await all.acquireUntil('', until);
    },
  };
}
