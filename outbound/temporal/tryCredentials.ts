import type { ConnectionLike } from '@temporalio/client';

/** How long a try of changed credentials may take, in ms. */
const tryWithinMs = 2_000;

/** Returns why Temporal does not answer on a connection a call that every process may make; undefined if it does. */
const rejectionOf = (connection: ConnectionLike, namespace: string): Promise<unknown> =>
  connection.withDeadline(Date.now() + tryWithinMs, () => connection.workflowService.describeNamespace({ namespace })).then(() => undefined, (error: unknown) => error ?? new Error('no answer'));

/**
 * Tries a connection with changed certificates or API key. Fails if Temporal refuses them and still accepts those of the connection
 * before: where it answers neither, the changed ones are the better guess.
 */
export async function requireAccepted(changed: ConnectionLike, before: ConnectionLike, namespace: string): Promise<void> {
  const rejection = await rejectionOf(changed, namespace);
  if (rejection === undefined || (await rejectionOf(before, namespace)) !== undefined) return;
  throw new Error('Temporal refuses the changed certificates or API key and accepts those before, so those before stay', { cause: rejection });
}
