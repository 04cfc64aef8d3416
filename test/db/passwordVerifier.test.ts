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

it('what Postgres itself stores of a password verifies it, and no other', async () => {
  const found = await stored('scram-sha-256', "pa$$ 'word'");
  expect([verifies(found, "pa$$ 'word'"), verifies(found, "pa$$ 'Word'")]).toEqual([true, false]);
});

it('what is stored with md5 says nothing', async () => {
  expect(verifies(await stored('md5', 'word'), 'word')).toBeUndefined();
});

it('a verifier is stored as it is, and is of its password', async () => {
  const verifier = createVerifier('a password');
  expect(await stored('scram-sha-256', verifier)).toBe(verifier);
  expect([verifies(verifier, 'a password'), verifies(verifier, 'another')]).toEqual([true, false]);
  expect(createVerifier('a password')).not.toBe(verifier);
});

it.each(['p\u{e4}ss', 'a\nb', ''])('no verifier is made of %j, which clients write in more than one way', (password) => {
  expect(() => createVerifier(password)).toThrow('ASCII');
});
