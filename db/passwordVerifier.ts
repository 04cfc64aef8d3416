import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As Postgres makes them itself. */
const iterations = 4096;
const saltBytes = 16;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function scramVerifier(password: string, salt: Buffer, rounds: number): string {
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${storedKey}:${hmac(salted, 'Server Key').toString('base64')}`;
}

/**
 * Returns what Postgres stores of a password (SCRAM-SHA-256, RFC 5803), with a new salt. In a statement it takes the password's place:
 * statements are logged. Fails for characters that clients write in more than one way.
 */
export function createVerifier(password: string): string {
  if (!/^[\x20-\x7e]+$/.test(password)) throw new Error('The password in DATABASE_URL must consist of ASCII characters');
  return scramVerifier(password, randomBytes(saltBytes), iterations);
}

/** Whether what Postgres stores of a password is of this one; undefined if it is no such verifier: none, or one of another kind. */
export function verifies(stored: string, password: string): boolean | undefined {
  const { rounds, salt } = /^SCRAM-SHA-256\$(?<rounds>\d+):(?<salt>[^$]+)\$/.exec(stored)?.groups ?? {};
  return rounds === undefined || salt === undefined ? undefined : stored === scramVerifier(password, Buffer.from(salt, 'base64'), Number(rounds));
}
