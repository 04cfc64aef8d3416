/**
 * SQLSTATEs by which a server or a pooler before it says that it takes no statements now: connection exceptions, which PgBouncer has
 * for a server that is gone (08…), a server that stops, crashes or starts (57P0…), one that is a standby (25006), or is full (53300).
 */
const unavailableStates = new Set(['08000', '08001', '08003', '08004', '08006', '08007', '08P01', '57P01', '57P02', '57P03', '57P05', '25006', '53300']);

/** How the operating system says so. */
const unavailableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/** How node-postgres says so of a connection that ended before the response. */
const unavailableMessages = ['Connection terminated', 'Client has encountered a connection error and is not queryable', 'timeout expired', 'Query read timeout'];

const maxCauses = 5;

/** The connection was lost while a COMMIT was under way: it is not known what was done. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
}

/** Whether an error, or what caused it, is that a store cannot be reached, or was lost before it responded; not in a COMMIT. */
export function isConnectionLoss(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth += 1) {
    if (cause instanceof CommitOutcomeUnknown) return false;
    const { message } = cause;
    const code: unknown = 'code' in cause ? cause.code : undefined;
    if (typeof code === 'string' && (unavailableStates.has(code) || unavailableCodes.has(code))) return true;
    if (unavailableMessages.some((known) => message.startsWith(known))) return true;
    cause = 'driverError' in cause ? cause.driverError : cause.cause;
  }
  return false;
}
