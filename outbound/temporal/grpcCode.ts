import { isGrpcServiceError } from '@temporalio/client';

/** Returns the gRPC status code of an error of a Temporal client; undefined if it is not a gRPC error. */
export function grpcCodeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}
