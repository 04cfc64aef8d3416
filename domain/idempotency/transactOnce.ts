import { findIdempotencyKey, largeResponseBytes, sumLargeResponses, type StoredCallRow } from '../../db/repositories/idempotency/idempotencyKeys';
import { IdempotencySlotTimeout, institutionScope } from '../../db/database';
import { KeyClaimTimeout } from '../../db/transaction';
import type { Caller, Domain, IdempotencyKey, Transaction } from '../context';
import { DomainError } from '../errors';
import { transact } from '../transact';
import { responsePlace } from './responsePlace';

/** How long a call waits for another with its key, in ms. */
const maxWaitMs = 10_000;

/** Maximum sum of an institution's large stored responses, in bytes. */
const maxLargeResponsesBytes = 256 * 1024 * 1024;

/** The result of a call: of its own work, or, `replayed`, of the call that its key was first used with. */
export interface OnceResult<Result> {
  result: Result;
  replayed: boolean;
}

/** The call was made before: ends its transaction, in which nothing was done. */
class AlreadyStored extends Error {
  constructor(readonly response: string) {
    super('The call was made before');
  }
}

const underWay = (cause: unknown): DomainError =>
  new DomainError('conflict', 'The first call with this Idempotency-Key is still under way; send this one again later.', {}, { cause });

/** `conflict` if the institution's large stored responses have reached their quota. */
async function requireResponseCapacity(tx: Transaction): Promise<void> {
  if ((await sumLargeResponses(tx)) < maxLargeResponsesBytes) return;
  throw new DomainError('conflict', `Large responses stored for Idempotency-Keys of this institution have reached ${maxLargeResponsesBytes} bytes in 24 hours; send calls with large responses without a key.`);
}

/** Returns the stored response; `conflict` where the key was used with another request. */
function responseOf({ secrets }: Pick<Domain, 'secrets'>, institutionId: string, { key, requestSha256 }: IdempotencyKey, stored: StoredCallRow): string {
  if (!stored.request_sha256.equals(requestSha256)) {
    throw new DomainError('conflict', 'This Idempotency-Key was used with another request: other method, path, query or body. Use a new key for a new request.');
  }
  return secrets.open(stored.response_sealed, responsePlace(institutionId, key));
}

/** Parses a stored response as the type of the request's result: the fingerprint says that the same request made it. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- JSON that this service has written
const parseStored = <Result>(response: string): OnceResult<Result> => ({ result: JSON.parse(response), replayed: true });

/**
 * Runs a command in one transaction, as `transact` does, and at most once for the caller's idempotency key: the result,
 * which is JSON, is stored with the commit, and a repeat within 24 hours gets it with nothing done. Nothing is stored of
 * work that fails. `conflict` for a key that was used with another request, and where the first call with it is still under
 * way after 10 s.
 */
export async function transactOnce<Result>(domain: Domain, caller: Caller, work: (tx: Transaction) => Promise<Result>): Promise<OnceResult<Result>> {
  const { idempotency } = caller;
  if (idempotency === undefined) return { result: await transact(domain, caller, work), replayed: false };
  const giveUpAt = performance.now() + maxWaitMs;
  const claimed = async (tx: Transaction): Promise<Result> => {
    if (tx.storedCall !== undefined) throw new AlreadyStored(responseOf(domain, caller.institutionId, idempotency, tx.storedCall));
    const result = await work(tx);
    const response = JSON.stringify(result);
    if (response.length > largeResponseBytes) await requireResponseCapacity(tx);
    tx.storeResponse(idempotency, response);
    return result;
  };
  const claim = { key: idempotency.key, waitMs: () => giveUpAt - performance.now() };
  try {
    const result = await inOrder(domain, caller, idempotency, 'transaction', () => transact(domain, caller, claimed, claim));
    return { result, replayed: false };
  } catch (error) {
    if (error instanceof AlreadyStored) return parseStored(error.response);
    throw error instanceof KeyClaimTimeout ? underWay(error) : error;
  }
}

/** Runs the calls of this process with one key one after another, or their transactions; `conflict` for one that waits for 10 s. */
export async function inOrder<Result>({ database }: Domain, { institutionId }: Caller, { key }: IdempotencyKey, kind: 'call' | 'transaction', work: () => Promise<Result>): Promise<Result> {
  try {
    return await database.idempotencySemaphore.run(`${kind} ${institutionId} ${key}`, work);
  } catch (error) {
    throw error instanceof IdempotencySlotTimeout ? underWay(error) : error;
  }
}

/** Returns the response that is stored for the caller's idempotency key, undefined if there is none; `conflict` where it was used with another request. */
export async function findStoredResponse(domain: Domain, { idempotency, institutionId }: Caller): Promise<unknown> {
  if (idempotency === undefined) return undefined;
  const stored = await findIdempotencyKey(institutionScope(domain.database, institutionId), idempotency.key);
  return stored === undefined ? undefined : parseStored(responseOf(domain, institutionId, idempotency, stored)).result;
}
