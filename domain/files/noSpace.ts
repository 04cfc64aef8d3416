import { DomainError } from '../errors';

/** Returns the error of an upload while a disk has too little free space: the only code of the contract that says "later". */
export const noSpace = (): DomainError => new DomainError('rate_limiter_unavailable', 'There is no room for uploads at the moment; try again later.');

/** Throws {@link noSpace} if a disk has too little free space. */
export async function requireSpace(hasSpace: () => Promise<boolean>): Promise<void> {
  if (!(await hasSpace())) throw noSpace();
}

/** Whether writing failed because the disk, or a quota of its file system, is full. */
export const isDiskFull = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
