import type { PlatformCaller } from '../http/access';
import type { OperationRecord } from '../http/operation';
import { allOperations } from './all';
import { inDocumentOrder } from './inDocumentOrder';

/** The operations of the platform API that apps, guardians and people who sign in call, which a listener of their own serves: those of sessions, and those that anybody may call. */
export const appsOperations: readonly OperationRecord<PlatformCaller>[] = inDocumentOrder(allOperations.flatMap((operation) => operation.apps ?? []));
