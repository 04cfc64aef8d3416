import { isGrpcServiceError } from '@temporalio/client';

/** The gRPC status code of what a Temporal client threw, as a number; undefined when it is no gRPC error. */
export function grpcCodeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}
