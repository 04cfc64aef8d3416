import type { InstitutionScope } from '../../db/database';
import type { Domain, Transaction } from '../context';
import type { ErasureSubject } from './subject';

/** What one chunk is about: what is searched for, where the chunk begins ('' for the first), and what it needs. */
export interface ErasureChunk {
  readonly domain: Domain;
  readonly scope: InstitutionScope;
  readonly personId: string;
  readonly subject: ErasureSubject;
  readonly place: string;
  readonly now: Date;
  /** Runs a transaction that counts what it removes, once; no-op, 0, if the erasure has ended. */
  readonly remove: (work: (tx: Transaction) => Promise<number>) => Promise<number>;
}

/** Where the next chunk begins; null if the store was gone through. The place of the chunk itself: it has to wait. */
export type NextPlace = string | null;

/** Erases one chunk of a store. */
export type EraseChunk = (chunk: ErasureChunk) => Promise<NextPlace>;
