import type { AuthenticatedKey } from '../http/access';
import type { OperationRecord } from '../http/operation';
import { allOperations } from './all';
import { inDocumentOrder } from './inDocumentOrder';

/** Every operation of the public API. */
export const publicOperations: readonly OperationRecord<AuthenticatedKey>[] = inDocumentOrder(allOperations.flatMap((operation) => operation.public ?? []));
