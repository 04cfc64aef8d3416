import { createVerifier, verifies } from '../../db/passwordVerifier';
import { withConnection } from '../../local/programs/postgres';
import { stack } from '../support/stack';

const role = 'verified_role';

/** What Postgres stores after it was given a password, or a verifier in its place. */
const stored = async (encryption: 'md5' | 'scram-sha-256', given: string): Promise<string> => withConnection((await stack()).ownerDatabaseUrl, async (client) => {
  await client.query('BEGIN');
  await client.query(`SET LOCAL password_encryption = '${encryption}'`);
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(given)}`);
  const { rows: [row] } = await client.query<{ rolpassword: string }>('SELECT rolpassword FROM pg_authid WHERE rolname = $1', [role]);
  await client.query('ROLLBACK');
  return row?.rolpassword ?? '';
});

it.each(['md5', 'scram-sha-256'] as const)('what Postgres stores of a password with %s verifies it, for its role, and no other', async (encryption) => {
  const found = await stored(encryption, "pa$$ 'word'");
  expect(found).not.toContain('word');
  expect([verifies(found, role, "pa$$ 'word'"), verifies(found, role, "pa$$ 'Word'")]).toEqual([true, false]);
});

it('a verifier is stored as it is, and is of its password', async () => {
  const verifier = createVerifier('a password');
  expect(await stored('scram-sha-256', verifier)).toBe(verifier);
  expect([verifies(verifier, role, 'a password'), verifies(verifier, role, 'another')]).toEqual([true, false]);
  expect(createVerifier('a password')).not.toBe(verifier);
});

it.each(['p\u{e4}ss', 'a\nb', ''])('no verifier is made of %j, which clients write in more than one way', (password) => {
  expect(() => createVerifier(password)).toThrow('ASCII');
});
