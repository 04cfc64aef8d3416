/** The key under which a scope holds TypeORM's entity manager. Only db/ imports it, so that commands read and write through repositories. */
export const entityManager: unique symbol = Symbol('entityManager');

/** The criteria of one row by its id, bound to the scope's institution. */
export const ownRow = ({ institutionId }: { readonly institutionId: string }, id: string): { id: string; institutionId: string } => ({ id, institutionId });
