import type { OperationAccess } from '../access';

/** What an institution's admin sees and does in the portal (section Authentication, 4); the platform may do the same for an institution that it names. */
export const adminAccess = { portal: ['admin'], staff: true } as const satisfies OperationAccess;

/** What its developers see and do, too: keys and webhooks (the same section). */
export const developerAccess = { portal: ['admin', 'developer'], staff: true } as const satisfies OperationAccess;
