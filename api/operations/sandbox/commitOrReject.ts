import { unaudited } from '../../../domain/audit/auditedCall';
import type { Caller, Domain, Transaction } from '../../../domain/context';
import { transact } from '../../../domain/transact';
import type { CommitOnce } from '../../http/operation';

/** A command that can reject a call by its result, because it records something then, such as an expiry. */
interface RejectingCommand<Result, Accepted, Answer> {
  run: (tx: Transaction) => Promise<Result>;
  /** Returns what was done, or throws the error of a rejected call. */
  accept: (result: Result) => Accepted;
  /** Returns what the call answers, which is stored for its idempotency key. */
  present: (tx: Transaction, accepted: Accepted) => Answer | Promise<Answer>;
}

/**
 * Runs a command and returns its answer. What it records of a rejected call is committed by a second run, which is
 * neither stored for the call's idempotency key nor audited: a repeat of a rejected call is a first one.
 */
export async function commitOrReject<Result, Accepted, Answer>(
  { domain, caller, commit }: { domain: Domain; caller: Caller; commit: CommitOnce },
  { run, accept, present }: RejectingCommand<Result, Accepted, Answer>,
): Promise<Answer> {
  const state = { isRejected: false };
  try {
    const { result } = await commit(async (tx) => {
      const done = await run(tx);
      state.isRejected = true;
      const accepted = accept(done);
      state.isRejected = false;
      return present(tx, accepted);
    });
    return result;
  } catch (error) {
    if (state.isRejected) await transact(domain, unaudited(caller), run);
    throw error;
  }
}
