import type { Caller, Domain, Transaction } from '../../../domain/context';
import { transact } from '../../../domain/transact';
import type { CommitOnce } from '../../http/operation';

/** A command whose refusal is a result, because it records something, such as an expiry. */
interface RefusingCommand<Result, Accepted, Answer> {
  run: (tx: Transaction) => Promise<Result>;
  /** Returns what was done, or throws the refusal. */
  accept: (result: Result) => Accepted;
  /** Returns what the call answers, which is stored for its idempotency key. */
  present: (tx: Transaction, accepted: Accepted) => Answer | Promise<Answer>;
}

/**
 * Runs a command and returns its answer. What it records with a refusal is committed by a second run, without the call's
 * idempotency key: a repeat of a refused call is a first one.
 */
export async function commitOrRefuse<Result, Accepted, Answer>(
  { domain, caller, commit }: { domain: Domain; caller: Caller; commit: CommitOnce },
  { run, accept, present }: RefusingCommand<Result, Accepted, Answer>,
): Promise<Answer> {
  let isRefused = false;
  try {
    const { result } = await commit(async (tx) => {
      const done = await run(tx);
      isRefused = true;
      const accepted = accept(done);
      isRefused = false;
      return present(tx, accepted);
    });
    return result;
  } catch (error) {
    if (isRefused) await transact(domain, caller, run);
    throw error;
  }
}
