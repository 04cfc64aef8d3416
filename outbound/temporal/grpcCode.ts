import { isGrpcServiceError } from '@temporalio/client';

/** The status codes of gRPC that the service distinguishes, by their names there. */
export const grpcCodes = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Returns the gRPC error that an error of a Temporal client is, or was caused by; undefined if neither is one. */
export function grpcErrorOf(error: unknown): { code: number; details: string } | undefined {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : undefined;
}

/** Returns the gRPC status code of an error of a Temporal client, or of what caused it; undefined if neither is a gRPC error. */
export const grpcCodeOf = (error: unknown): number | undefined => grpcErrorOf(error)?.code;

/** Whether an error of a Temporal client says that something is not there. */
export const isNotFound = (error: unknown): boolean => grpcCodeOf(error) === grpcCodes.notFound;

/** Whether Temporal refuses a call for lack of a right, or does not offer it at all, as Temporal Cloud does with some. */
export function isRefused(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== undefined && refusedCodes.has(code);
}

/** Rethrows every error of a call that Temporal does not refuse. */
export function undefinedIfRefused(error: unknown): undefined {
  if (!isRefused(error)) throw error;
}

const refusedCodes = new Set<number>([grpcCodes.permissionDenied, grpcCodes.unimplemented, grpcCodes.unauthenticated]);
