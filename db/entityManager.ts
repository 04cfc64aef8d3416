import type { EntityManager } from 'typeorm';

/** Runs work with TypeORM's entity manager, bound to the institution of its scope. */
export type RunWithManager = <Result>(work: (manager: EntityManager) => Promise<Result>) => Promise<Result>;

/** The key of a scope's TypeORM entity manager. Only db/ imports it, so that commands read and write through repositories. */
export const entityManager: unique symbol = Symbol('entityManager');

/** Returns the criteria of one row by its id, bound to the scope's institution. */
export const ownRow = ({ institutionId }: { readonly institutionId: string }, id: string): { id: string; institutionId: string } => ({ id, institutionId });
