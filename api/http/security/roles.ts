import type { OperationAccess } from '../access';

/**
 * The roles of operations for an institution's admin in the portal (section Authentication, 4); the platform may call them
 * for an institution that it names.
 */
export const adminAccess = { portal: ['admin'], staff: true } as const satisfies OperationAccess;

/** The roles of operations that developers may call, too: keys and webhooks (the same section). */
export const developerAccess = { portal: ['admin', 'developer'], staff: true } as const satisfies OperationAccess;

/** The same for operations that support staff may call: what the support console shows and does. */
export const supportAccess = { ...developerAccess, support: true } as const satisfies OperationAccess;
