import type { PlatformCaller } from '../http/access';
import type { OperationRecord } from '../http/operation';
import { allOperations } from './all';
import { inDocumentOrder } from './inDocumentOrder';

/** Every operation of the platform API. */
export const platformOperations: readonly OperationRecord<PlatformCaller>[] = inDocumentOrder(allOperations.flatMap((operation) => operation.platform ?? []));
