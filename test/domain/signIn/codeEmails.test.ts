import { startApi } from '../../../api/start';
import { createLogger } from '../../../config/logger';
import { withConnection } from '../../../local/programs/postgres';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { sendCodeEmails } from '../../support/codeEmails';
import { eventually } from '../../support/eventually';
import { requestCode, codeIn, codeEmailFor, codeEmailsFor, signIn } from '../../support/signInCodes';
import { stack } from '../../support/stack';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy';

/** More than the queue in memory held that there was before. */
const many = 1_100;

let proxy: TcpProxy;
let api: TestApi;
let institution: TestInstitution;
let mailboxes = 0;

beforeAll(async () => {
  const { hostname, port } = new URL((await stack()).smtpUrl);
  proxy = await startTcpProxy(`${hostname}:${port}`);
  api = await startTestApi({ smtpUrl: `smtp://${proxy.address}` }, { emailsCodes: false });
  institution = await api.institution();
});

afterAll(async () => {
  await api.stop();
  await proxy.close();
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => api.api.domain.database.sql<Row>(text, values);
const waiting = () => sql<{ seq: string; kept: string }>('SELECT seq, e::text AS kept FROM sign_in_emails e ORDER BY seq');
const nothingWaits = () => eventually('nothing that waits', async () => (await waiting()).length === 0);

async function student(): Promise<{ id: string; login_email: string; mailbox: string }> {
  const mailbox = `durable${(mailboxes += 1)}@mail.example`;
  const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: { personal_email: mailbox } });
  return { ...data, mailbox };
}

/** A worker's loop while `work` goes on. */
async function whileSending(work: () => Promise<void>): Promise<void> {
  const sending = sendCodeEmails(api.api.domain, api.settings);
  try {
    await work();
  } finally {
    await sending.stop();
  }
}

it('a code that was asked for is sent though the API ends with its answer and the mail server is away', async () => {
  const { login_email } = await student();
  const other = await startApi(api.settings, createLogger('api', 'silent'));
  await proxy.refuse();
  const response = await fetch(`http://127.0.0.1:${other.platformPort}/platform/v1/sign-in/codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login_email }),
  });
  expect(response.status).toBe(200);
  await other.stop();
  await proxy.resume();
  await whileSending(async () => {
    expect((await signIn(api, login_email, codeIn(await codeEmailFor(api, login_email)))).status).toBe(200);
  });
});

it('a request, and the email that comes of it, hold neither code nor address in the clear, and say nothing of whether there is an account', async () => {
  const { login_email, mailbox } = await student();
  const unknown = login_email.replace(/^student\d+/, 'student999999');
  for (const email of [login_email, unknown]) expect((await requestCode(api, email)).status).toBe(200);
  const [known, ofNobody] = (await waiting()).map(({ kept }) => kept);
  await proxy.refuse();
  await whileSending(async () => {
    await eventually('an email that is written and not sent', async () => (await sql('SELECT 1 FROM sign_in_emails WHERE email_sealed IS NOT NULL')).length === 1);
    await eventually('nothing of the unknown account', async () => (await waiting()).length === 1);
    const [{ kept } = { kept: '' }] = await waiting();
    await proxy.resume();
    const email = await codeEmailFor(api, login_email);
    for (const secret of [login_email, mailbox, codeIn(email)]) expect(`${known} ${ofNobody} ${kept}`).not.toContain(secret);
    await nothingWaits();
  });
});

it('an email that could not be sent comes again with the same code and id, by several loops once', async () => {
  const { id, login_email } = await student();
  await proxy.refuse();
  await requestCode(api, login_email);
  await whileSending(async () => {
    await eventually('a first try that failed', async () => (await sql("SELECT 1 FROM sign_in_emails WHERE email_sealed IS NOT NULL AND try_after > now() - interval '1 minute'")).length === 1);
  });
  await proxy.resume();
  await sql("UPDATE sign_in_emails SET try_after = '-infinity'");
  await whileSending(() => whileSending(async () => {
    const email = await codeEmailFor(api, login_email);
    const codes = await sql<{ id: string }>('SELECT id FROM sign_in_codes WHERE user_id = $1', [id]);
    expect(codes.map((code) => `<${code.id}@${institution.loginDomain}>`)).toEqual([email.messageId]);
    await nothingWaits();
  }));
  expect(await codeEmailsFor(api, login_email)).toHaveLength(1);
});

it.each([['ahead', 5 * 60_000], ['behind', -5 * 60_000]])('a machine whose clock is five minutes %s keeps an email from the others for as long as any', async (_where, ms) => {
  const { login_email } = await student();
  await proxy.refuse();
  await requestCode(api, login_email);
  jest.useFakeTimers({
    now: Date.now() + ms,
    doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
  });
  const tried = () => sql<{ seconds: number }>('SELECT extract(epoch FROM try_after - clock_timestamp())::float AS seconds FROM sign_in_emails WHERE email_sealed IS NOT NULL');
  try {
    await whileSending(async () => {
      const { seconds } = await eventually('a first try', async () => (await tried())[0]);
      expect(Math.abs(seconds)).toBeLessThan(60);
    });
  } finally {
    jest.useRealTimers();
    await proxy.resume();
    await sql('DELETE FROM sign_in_emails');
  }
});

it('a request that cannot be kept is not answered 200, and nothing of it is sent', async () => {
  const { login_email } = await student();
  const asOwner = (text: string) => withConnection(api.stack.ownerDatabaseUrl, (client) => client.query(text));
  await asOwner(`CREATE FUNCTION refuse_emails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER refused BEFORE INSERT ON sign_in_emails FOR EACH STATEMENT EXECUTE FUNCTION refuse_emails()`);
  try {
    const { status, body } = await requestCode(api, login_email);
    expect([status, body.error]).toEqual([500, 'internal_error']);
  } finally {
    await asOwner('DROP FUNCTION refuse_emails CASCADE');
  }
  expect(await waiting()).toEqual([]);
  // The next one is kept, and sent.
  expect((await requestCode(api, login_email)).status).toBe(200);
  await whileSending(async () => {
    expect((await signIn(api, login_email, codeIn(await codeEmailFor(api, login_email)))).status).toBe(200);
    await nothingWaits();
  });
  expect(await codeEmailsFor(api, login_email)).toHaveLength(1);
});

it('an email is there within a second of the call, by the median', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, student));
  const tookMs: number[] = [];
  await whileSending(async () => {
    for (const { login_email } of accounts) {
      const asked = performance.now();
      await requestCode(api, login_email);
      await codeEmailFor(api, login_email);
      tookMs.push(performance.now() - asked);
    }
    await nothingWaits();
  });
  expect(tookMs.sort((a, b) => a - b)[2]).toBeLessThan(1_000);
});

it('an email leaves when its code expires, unsent', async () => {
  const { id, login_email } = await student();
  await requestCode(api, login_email);
  await sql('UPDATE sign_in_emails SET expires_at = now()');
  await whileSending(async () => {
    await nothingWaits();
  });
  expect(await codeEmailsFor(api, login_email)).toEqual([]);
  expect(await sql('SELECT 1 FROM sign_in_codes WHERE user_id = $1', [id])).toEqual([]);
});

it('more requests than a queue in memory held are kept, every one that was answered 200', async () => {
  const asked = Array.from({ length: 11 }, async (_, batch) => {
    for (let nth = 0; nth < many / 11; nth += 1) expect((await requestCode(api, `student${batch}${nth}.00000000@nowhere.example`)).status).toBe(200);
  });
  await Promise.all(asked);
  expect(await waiting()).toHaveLength(many);
  await whileSending(async () => {
    await nothingWaits();
  });
});
