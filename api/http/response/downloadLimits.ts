import { createTurns, type Turns } from '../../../lib/keyedSemaphore';
import { DomainError } from '../../../domain/errors';
import type { Throughput } from './minimumThroughput';

/** What the downloads of the folder store may hold of a process: nobody counts these calls, and a URL may be in many hands. */
export interface DownloadLimits {
  /** Downloads at the same time. */
  inProcess: number;
  ofInstitution: number;
  ofFile: number;
  /** Of a file by one reader, a person or who was handed a URL; what is beyond is refused at once. */
  ofReader: number;
  /** How long a download waits for a place among those of its file and institution, in ms. */
  waitMs: number;
  /** How many wait for each file, and for each institution; what is beyond is refused at once. */
  mostWaiting: number;
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
export const usualDownloadLimits: DownloadLimits = {
  inProcess: 500,
  ofInstitution: 200,
  ofFile: 100,
  ofReader: 4,
  waitMs: 10_000,
  mostWaiting: 100,
  throughput: { bytes: 512 * 1024, withinMs: 120_000 },
  graceMs: 15 * 60_000,
};

/** The places of downloads. */
export interface DownloadPlaces {
  /**
   * Resolves once the download has its place, which it keeps until the signal aborts; `rate_limited` where there is none in
   * time. Those of whom nobody knows the `reader` share half the places of a file.
   */
  hold(file: { id: string; institution_id: string }, reader: string | undefined, until: AbortSignal): Promise<void>;
}

/** The places of one process. */
export function createDownloadPlaces({ inProcess, ofInstitution, ofFile, ofReader, waitMs, mostWaiting }: DownloadLimits): DownloadPlaces {
  const places = (most: number, wait: { ms: number; most: number }, what: string): Turns =>
    createTurns(most, wait.ms, () => new DomainError('rate_limited', `Too many downloads ${what} are under way; try again.`), wait.most);
  const [inLine, atOnce] = [{ ms: waitMs, most: mostWaiting }, { ms: 0, most: 0 }];
  const readers = places(ofReader, atOnce, 'of this file by this reader');
  const unknown = places(Math.ceil(ofFile / 2), inLine, 'of this file');
  const files = places(ofFile, inLine, 'of this file');
  const institutions = places(ofInstitution, inLine, 'of this institution');
  // Nobody waits for those of everybody: the line would be as long as there are clients.
  const all = places(inProcess, atOnce, 'of all institutions');
  return {
    hold: async ({ id, institution_id: institutionId }, reader, until) => {
      // Who waits counts as well, so that no reader fills a line either.
      if (reader === undefined) await unknown.hold(id, until);
      else await readers.hold(`${id} ${reader}`, until);
      // What waits for its file holds nothing of its institution's, and what waits for that holds nothing of the others'.
      await files.hold(id, until);
      await institutions.hold(institutionId, until);
      await all.hold('', until);
    },
  };
}
