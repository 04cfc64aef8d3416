import type { Caller, Domain } from '../../domain/context';
import { findStoredResponse, inOrder, transactOnce } from '../../domain/idempotency/transactOnce';
import type { CommitOnce, TransactionMode } from './operation';

/** A call and what its idempotency key makes of it. */
export interface RepeatableCall {
  /** Opens the transaction of the call's effect. */
  readonly commit: CommitOnce;
  /** Whether the call was made before: its response is the stored one, and nothing was done. */
  readonly replayed: boolean;
  /** Runs the handler, or returns the stored response in its place. */
  run(mode: TransactionMode, handle: () => Promise<unknown>): Promise<unknown>;
}

/** A call of this caller; one without an idempotency key runs as if there were none. */
export function repeatableCall(domain: Domain, caller: Caller): RepeatableCall {
  const { idempotency } = caller;
  let replayed = false;
  return {
    get replayed() {
      return replayed;
    },
    commit: async (work, now = caller.now) => {
      const once = await transactOnce(domain, { ...caller, now }, work);
      replayed ||= once.replayed;
      return once;
    },
    run: (mode, handle) => {
      if (mode !== 'own' || idempotency === undefined) return handle();
      // What the handler does in addition to its transaction, such as looking up a host, is not done again either.
      return inOrder(domain, caller, idempotency, 'call', async () => {
        const stored = await findStoredResponse(domain, caller);
        if (stored === undefined) return handle();
        replayed = true;
        return stored;
      });
    },
  };
}
