import { createKeyedSemaphore, type KeyedSemaphore } from '../../../lib/keyedSemaphore';
import { DomainError } from '../../../domain/errors';
import type { Throughput } from './minimumThroughput';

/** Limits of downloads from the folder store: these calls have no rate limit, and a URL may be shared. */
export interface DownloadLimits {
  /** Maximum number of concurrent downloads. */
  perProcess: number;
  perInstitution: number;
  perFile: number;
  /** Of one file by one reader (a person, or the holder of a URL); further ones are rejected immediately. */
  perReader: number;
  /** How long a download waits for a slot of its file and institution, in ms. */
  acquireTimeoutMs: number;
  /** Maximum number of downloads that wait for each file and each institution; further ones are rejected immediately. */
  maxWaiting: number;
  /** The minimum throughput of a client. */
  throughput: Throughput;
  /** How long after its URL has expired a download may go on, in ms. */
  graceMs: number;
}

/**
 * Two institutions cannot use all slots of the process, nor one file those of its institution, nor one reader those of a
 * file. A class of 30 on a line of 2 Mbit/s gets 8 KiB per second each, twice the minimum; it is measured over two minutes,
 * because the kernel's buffers empty in large steps on such a line. A download begun in the last second of a URL has 15
 * minutes: 50 MiB at 58 KiB per second.
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
  // Downloads do not wait for the limit of the process: the queue would be as long as there are clients.
  const all = createLimit(perProcess, withoutQueue, 'of all institutions');
  return {
    acquireUntil: async ({ id, institution_id: institutionId }, reader, until) => {
      // Waiting downloads count as well, so that one reader cannot fill the queue.
      if (reader === undefined) await anonymousReaders.acquireUntil(id, until);
      else await readers.acquireUntil(`${id} ${reader}`, until);
      // A download that waits for its file holds no slot of its institution, and one that waits for its institution holds no
      // slot of the process.
      await files.acquireUntil(id, until);
      await institutions.acquireUntil(institutionId, until);
      await all.acquireUntil('', until);
    },
  };
}
