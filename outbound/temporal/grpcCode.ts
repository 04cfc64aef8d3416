import { isGrpcServiceError } from '@temporalio/client';

/** Returns the gRPC status code of an error of a Temporal client, or of what caused it; undefined if neither is a gRPC error. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause.code : undefined;
}

/** Whether Temporal refuses a call for lack of a right, or does not offer it at all, as Temporal Cloud does with some. */
export function isRefused(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== undefined && refusedCodes.has(code);
}

/** Rethrows every error of a call that Temporal does not refuse. */
export function undefinedIfRefused(error: unknown): undefined {
  if (!isRefused(error)) throw error;
}

/** gRPC: permission denied, unimplemented, unauthenticated. */
const refusedCodes = new Set([7, 12, 16]);
