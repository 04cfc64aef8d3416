import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../../local/ports';
import { createLetterQueue } from '../../../outbound/mail/letterQueue';
import { MailError } from '../../../outbound/mail/mailError';
import { createMailer, type Mail } from '../../../outbound/mail/mailer';
import { eventually } from '../../support/eventually';
import { stack, type TestStack } from '../../support/stack';

const from = 'School <no-reply@school.example>';
const closeWithinMs = 20_000;
let testStack: TestStack;

beforeAll(async () => {
  testStack = await stack();
});

afterAll(() => testStack.stop());

function open(smtpUrl: string) {
  const lost: { requestId: string; error: unknown }[] = [];
  const queue = createLetterQueue(createMailer({ smtpUrl, from }), (requestId, error) => lost.push({ requestId, error }));
  return { queue, lost };
}

const letter = (subject: string): Promise<Mail> => Promise.resolve({ to: 'reader@mail.example', subject, text: 'Hello' });
const arrived = async (prefix: string) => (await testStack.mail.messages()).filter(({ subject }) => subject?.startsWith(prefix) === true);

describe('the letter queue', () => {
  it('sends all that was posted before it closes', async () => {
    const { queue, lost } = open(testStack.smtpUrl);
    for (let nth = 0; nth < 20; nth += 1) queue.post(`req_${nth}`, () => letter(`all ${nth}`));
    await queue.close(closeWithinMs);
    expect([(await arrived('all')).length, lost]).toEqual([20, []]);
  });

  it('sends nothing where nothing was written', async () => {
    const { queue, lost } = open(testStack.smtpUrl);
    queue.post('req_none', () => Promise.resolve(undefined));
    await queue.close(closeWithinMs);
    expect(lost).toEqual([]);
  });

  it('tells of a letter that could not be written, and goes on with the next', async () => {
    const { queue, lost } = open(testStack.smtpUrl);
    const broken = new Error('no database');
    queue.post('req_broken', () => Promise.reject(broken));
    queue.post('req_next', () => letter('next'));
    await queue.close(closeWithinMs);
    expect([lost, (await arrived('next')).length]).toEqual([[{ requestId: 'req_broken', error: broken }], 1]);
  });

  it('writes at most five at a time, in the order posted', async () => {
    const { queue } = open(testStack.smtpUrl);
    const begun: number[] = [];
    let writing = 0;
    let most = 0;
    for (let nth = 0; nth < 12; nth += 1) {
      queue.post(`req_${nth}`, async () => {
        begun.push(nth);
        most = Math.max(most, (writing += 1));
        await pause(5);
        writing -= 1;
        return undefined;
      });
    }
    await queue.close(closeWithinMs);
    expect([begun, most]).toEqual([Array.from({ length: 12 }, (_, nth) => nth), 5]);
  });

  it('loses what is posted beyond a thousand waiting, and says so', async () => {
    const { queue, lost } = open(testStack.smtpUrl);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => { release = resolve; });
    for (let nth = 0; nth < 1_007; nth += 1) queue.post(`req_${nth}`, async () => { await gate; return undefined; });
    expect(lost.map(({ requestId }) => requestId)).toEqual(['req_1005', 'req_1006']);
    release();
    await queue.close(closeWithinMs);
    expect(lost).toHaveLength(2);
  });

  it('tries a letter again when the mail server is away for the moment', async () => {
    const port = await freePort();
    const { queue, lost } = open(`smtp://127.0.0.1:${port}`);
    queue.post('req_later', () => letter('later'));
    await pause(100);
    let taken = 0;
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      authOptional: true,
      onData: (stream, _session, done) => {
        stream.resume().once('end', () => {
          taken += 1;
          done();
        });
      },
    });
    server.listen(port, '127.0.0.1');
    await eventually('the letter at the server that came back', () => taken === 1);
    await queue.close(closeWithinMs);
    await new Promise<void>((resolve) => { server.close(() => { resolve(); }); });
    expect([taken, lost]).toEqual([1, []]);
  });

  it('takes nothing once it is closed, and gives up what the mail server does not take', async () => {
    const { queue, lost } = open(`smtp://127.0.0.1:${await freePort()}`);
    queue.post('req_away', () => letter('away'));
    await pause(100);
    const began = performance.now();
    await queue.close(closeWithinMs);
    expect(performance.now() - began).toBeLessThan(10_000);
    queue.post('req_after', () => letter('after'));
    expect(lost.map(({ requestId }) => requestId)).toEqual(['req_away', 'req_after']);
    expect(lost[0]?.error).toBeInstanceOf(MailError);
  });
});
