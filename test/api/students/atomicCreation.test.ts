import { withConnection } from '../../../local/programs/postgres';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture();

const sql = (text: string, values: unknown[] = []) => api.api.domain.database.sql<{ rows: number }>(text, values);

/** What a student consists of, and what announces it. */
const parts = ['users', 'institution_emails', 'licenses', 'events'] as const;
const counted = async (): Promise<number[]> =>
  Promise.all(parts.map(async (table) => (await sql(`SELECT count(*)::int AS rows FROM ${table} WHERE institution_id = $1`, [institution.id]))[0]?.rows ?? -1));

const asOwner = (text: string) => withConnection(api.stack.ownerDatabaseUrl, async (client) => { await client.query(text); });

/** Has the database refuse every row written into a table of this institution, while something is done. */
async function whileRefused(table: string, work: () => Promise<void>): Promise<void> {
  await asOwner("CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$");
  await asOwner(`CREATE TRIGGER refuse_row BEFORE INSERT ON ${table} FOR EACH ROW WHEN (NEW.institution_id = '${institution.id}') EXECUTE FUNCTION refuse_row()`);
  try {
    await work();
  } finally {
    await asOwner('DROP FUNCTION refuse_row() CASCADE');
  }
}

// Contract: students.provisioning.atomic, students.creation.user-email-and-license
it('a student is made as user, institution email and license together', async () => {
  const [users = 0, emails = 0, licenses = 0] = await counted();
  expect((await api.call('POST', '/students', { key: institution.apiKey, body: {} })).status).toBe(200);
  expect((await counted()).slice(0, 3)).toEqual([users + 1, emails + 1, licenses + 1]);
});

// Contract: students.provisioning.atomic, errors.500.internal-error, errors.internal-error.quote-request-id
it.each(parts)('where %s cannot be written nothing of the student is kept, and the answer is internal_error with the request id to quote', async (table) => {
  const before = await counted();
  await whileRefused(table, async () => {
    const { status, body, headers } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    const requestId = headers.get('x-request-id');
    expect(requestId).toMatch(/^req_/);
    expect([status, body]).toEqual([500, { success: false, error: 'internal_error', message: `Something went wrong on our side. Quote ${requestId ?? ''}.` }]);
  });
  expect(await counted()).toEqual(before);
  expect((await api.call('POST', '/students', { key: institution.apiKey, body: {} })).data.login_email).toMatch(/^student1\./);
});
