import { createHash } from 'node:crypto';

/** Returns the SHA-256 by which a random secret is stored and compared: a key, a token or the id of a session. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
