import { Writable } from 'node:stream';
import pino from 'pino';
import { startCodeEmailSender } from '../../worker/signIn/codeEmailSender';
import { createLogger, type Logger } from '../../config/logger';
import { MailError } from '../../outbound/mail/mailError';
import type { Mail } from '../../outbound/mail/mailer';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { requestCode } from '../support/signInCodes';

let api: TestApi;
let institution: TestInstitution;
let otherInstitution: TestInstitution;
let mailboxes = 0;

beforeAll(async () => {
  api = await startTestApi({}, { emailsCodes: false });
  [institution, otherInstitution] = [await api.institution(), await api.institution()];
});

afterAll(() => api.stop());

beforeEach(() => sql('DELETE FROM sign_in_emails'));

afterEach(() => jest.useRealTimers());

const sql = <Row extends object>(text: string, values: unknown[] = []) => api.api.domain.database.sql<Row>(text, values);
const waiting = async (): Promise<number> => (await sql('SELECT 1 FROM sign_in_emails')).length;
const written = async (): Promise<number> => (await sql('SELECT 1 FROM sign_in_emails WHERE email_sealed IS NOT NULL')).length;
const nothingWaits = () => eventually('nothing that waits', async () => (await waiting()) === 0, 30_000);
const dueAgain = () => sql("UPDATE sign_in_emails SET try_after = clock_timestamp() - interval '1 second'");
const away = (): Promise<void> => Promise.reject(new MailError('unreachable', 'The mail server could not be reached', false));

async function student({ apiKey }: TestInstitution = institution): Promise<{ id: string; login_email: string; mailbox: string }> {
  const mailbox = `shares${(mailboxes += 1)}@mail.example`;
  const { data } = await api.call('POST', '/students', { key: apiKey, body: { personal_email: mailbox } });
  return { ...data, mailbox };
}

/** A worker's loop while `work` goes on, with this in place of the mail server; returns what was given to it. */
async function whileSending(send: (mail: Mail) => Promise<void>, work: (given: readonly Mail[]) => Promise<unknown>, logger: Logger = createLogger('worker', 'silent')): Promise<Mail[]> {
  const given: Mail[] = [];
  const sender = startCodeEmailSender(api.api.domain, { send: (mail) => (given.push(mail), send(mail)) }, logger);
  try {
    await work(given);
  } finally {
    await sender.stop(5_000);
  }
  return given;
}

const taken = (): Promise<void> => Promise.resolve();

it('five requests of a login email wait, in any spelling; the others are answered the same and count as one of them', async () => {
  const known = (await student()).login_email;
  for (const login_email of [known, known.replace(/^student\d+/, 'student999999')]) {
    await sql('DELETE FROM sign_in_emails');
    const answers = [];
    for (let nth = 0; nth < 8; nth += 1) answers.push(await requestCode(api, nth % 2 === 0 ? login_email : login_email.toUpperCase()));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(new Set([JSON.stringify([200, answers[0]?.body])]));
    expect(await waiting()).toBe(5);
  }
});

it('an email that is tried again does not wait behind all that is asked for meanwhile', async () => {
  await requestCode(api, (await student()).login_email);
  await whileSending(away, () => eventually('a first try', async () => (await written()) === 1));
  await Promise.all(Array.from({ length: 200 }, (_, nth) => requestCode(api, `student${nth}.00000000@nowhere.example`)));
  await dueAgain();
  await sql("UPDATE sign_in_emails SET try_after = '-infinity' WHERE email_sealed IS NULL");
  let left = 0;
  await whileSending(async () => {
    left = await waiting();
  }, nothingWaits);
  expect(left).toBeGreaterThan(100);
});

it('an institution has four emails under way, and holds up no other', async () => {
  const concurrent = await Promise.all(Array.from({ length: 14 }, () => student()));
  for (const { login_email } of concurrent) await requestCode(api, login_email);
  const other = await student(otherInstitution);
  const later = await student(otherInstitution);
  const isConcurrent = ({ to }: Mail): boolean => to !== other.mailbox && to !== later.mailbox;
  await requestCode(api, other.login_email);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const given = await whileSending(
    (mail) => (isConcurrent(mail) ? released : taken()),
    async (soFar) => {
      try {
        await eventually('the email of the other institution, and four', () => soFar.some(({ to }) => to === other.mailbox) && soFar.filter(isConcurrent).length >= 4);
        // Asked for and sent after them, so the waiting requests were looked at again meanwhile.
        await requestCode(api, later.login_email);
        await eventually('the later email of the other institution', () => soFar.some(({ to }) => to === later.mailbox));
        expect(soFar.filter(isConcurrent)).toHaveLength(4);
      } finally {
        release();
      }
      await nothingWaits();
    },
  );
  expect(new Set(given.map(({ to }) => to)).size).toBe(16);
});

it('codes whose emails expired unsent do not count: after an outage an account gets its code', async () => {
  const { id, login_email } = await student();
  for (let nth = 0; nth < 5; nth += 1) await requestCode(api, login_email);
  await whileSending(away, () => eventually('five codes', async () => (await sql('SELECT 1 FROM sign_in_codes WHERE user_id = $1', [id])).length === 5));
  await sql("UPDATE sign_in_codes SET wrong_tries = 1 WHERE user_id = $1", [id]);
  await sql("UPDATE sign_in_emails SET expires_at = now() - interval '1 second', try_after = '-infinity'");
  expect(await whileSending(taken, nothingWaits)).toEqual([]);
  await requestCode(api, login_email);
  expect(await whileSending(taken, nothingWaits)).toHaveLength(1);
  // Somebody who guesses needs no email: their tries are forgotten no sooner.
  expect(await sql('SELECT sum(wrong_tries)::int AS tries FROM sign_in_codes WHERE user_id = $1', [id])).toEqual([{ tries: 5 }]);
});

it('of the emails that waited for the mail server the one with the newest code is sent, which alone is of use', async () => {
  const { id, login_email } = await student();
  await whileSending(away, async () => {
    for (let nth = 1; nth <= 3; nth += 1) {
      await requestCode(api, login_email);
      // On a slow machine an earlier one is due again meanwhile, and given up then.
      await eventually('its code', async () => (await sql('SELECT 1 FROM sign_in_codes WHERE user_id = $1', [id])).length === nth);
    }
  });
  await dueAgain();
  const sent = await whileSending(taken, nothingWaits);
  const [newest] = await sql<{ id: string }>('SELECT id FROM sign_in_codes WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1', [id]);
  expect(sent.map(({ messageId }) => messageId)).toEqual([`<${newest?.id ?? ''}@${institution.loginDomain}>`]);
});

it('a worker whose clock is an hour ahead neither gives up what it could send nor puts it off for an hour', async () => {
  await requestCode(api, (await student()).login_email);
  jest.useFakeTimers({
    now: Date.now() + 3_600_000,
    doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
  });
  await whileSending(away, () => eventually('a first try', async () => (await written()) === 1));
  jest.useRealTimers();
  expect(await whileSending(taken, nothingWaits)).toHaveLength(1);
});

it('a kept email that cannot be read is given up, and the log holds nothing of it', async () => {
  const { login_email, mailbox } = await student();
  await requestCode(api, login_email);
  const seal = (text: string, rowId: string): string => api.api.domain.secrets.seal(text, { institutionId: null, table: 'sign_in_emails', column: 'email_sealed', rowId });
  const lines: string[] = [];
  const logger = pino(
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  for (const kept of [JSON.stringify({ to: mailbox, text: '123456', subject: 7 }), `123456 for ${mailbox}`]) {
    if ((await waiting()) === 0) await requestCode(api, login_email);
    const [row] = await sql<{ request_id: string }>('SELECT request_id FROM sign_in_emails');
    await sql("UPDATE sign_in_emails SET email_sealed = $1, try_after = '-infinity'", [seal(kept, row?.request_id ?? '')]);
    expect(await whileSending(taken, nothingWaits, logger)).toEqual([]);
  }
  expect(lines).toHaveLength(2);
  for (const secret of [mailbox, '123456']) expect(lines.join()).not.toContain(secret);
});
