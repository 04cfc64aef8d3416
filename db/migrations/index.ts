import { Foundation1795132800000 } from './1795132800000-foundation';

/** Every migration, in the order in which it runs. */
export const migrations = [Foundation1795132800000];
