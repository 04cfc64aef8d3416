import type { PlatformRole } from '../operation';

/** What an institution's admin sees and does in the portal (section Authentication, 4); the platform may do the same for an institution that it names. */
export const adminRoles: readonly PlatformRole[] = ['admin', 'platform'];

/** What its developers see and do beside the admin: keys and webhooks (the same section). */
export const developerRoles: readonly PlatformRole[] = ['admin', 'developer', 'platform'];
