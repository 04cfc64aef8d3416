import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';

/*
 * The mail server of the email benches, in a separate process: accepts every message immediately and stores only their
 * number, the number of addresses, and when the last one arrived. Emails are sent to MAIL_PORT; BENCH_PORT has:
 *   GET /      { messages, addresses, lastAt }   lastAt in ms of Unix time
 *   DELETE /   resets them
 */
const addresses = new Set<string>();
let messages = 0;
let lastAt = 0;

const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, session, done) => {
    stream.resume();
    stream.once('end', () => {
      for (const { address } of session.envelope.rcptTo) addresses.add(address);
      messages += 1;
      lastAt = performance.timeOrigin + performance.now();
      done();
    });
  },
});
sink.on('error', (error) => process.stderr.write(`${error.message}\n`));
sink.listen(Number(process.env.MAIL_PORT), '127.0.0.1');

createServer((request, response) => {
  if (request.method === 'DELETE') {
    addresses.clear();
    messages = 0;
    lastAt = 0;
  }
  response.end(JSON.stringify({ messages, addresses: addresses.size, lastAt }));
}).listen(Number(process.env.BENCH_PORT), '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));
