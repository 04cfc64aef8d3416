import { setTimeout as sleep } from 'node:timers/promises';
import { createMailer } from '../../outbound/mail/mailer';
import { barePort, receiverControlPort, type BenchEnvironment } from '../environment';
import { residentMegabytes } from '../memory';
import { rounded } from '../statistics';
import { call, seedStudents } from './people';

const groups = 20;
const groupSize = 500;
const recipients = groups * groupSize;
const arrivalTimeoutMs = 300_000;
const sampleIntervalMs = 100;

interface SinkCounts {
  messages: number;
  addresses: number;
  lastAt: number;
}

const sinkUrl = `http://127.0.0.1:${receiverControlPort}/`;
const readSinkCounts = async (): Promise<SinkCounts> => (await (await fetch(sinkUrl)).json()) as SinkCounts;
const now = (): number => performance.timeOrigin + performance.now();

/** Waits until the expected number of messages has arrived, calling `look` while it waits. */
async function waitForArrivals(look: () => void): Promise<SinkCounts> {
  const deadline = Date.now() + arrivalTimeoutMs;
  for (;;) {
    look();
    const seen = await readSinkCounts();
    if (seen.messages >= recipients) return seen;
    if (Date.now() > deadline) throw new Error(`Only ${seen.messages} of ${recipients} emails arrived within ${arrivalTimeoutMs} ms`);
    await sleep(sampleIntervalMs);
  }
}

/** The baseline: the mailer alone, ten emails of the same length at a time. */
async function bareEmailsPerSecond(smtpUrl: string, text: string): Promise<number> {
  const mailer = createMailer({ smtpUrl, from: 'Bench <bench@bench.example>' });
  const started = performance.now();
  for (let sent = 0; sent < recipients; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) => mailer.send({ to: `bare${sent + nth}@mail.bench.example`, subject: 'An exam', text, html: `<p>${text}</p>`, messageId: `<bare.${sent + nth}@bench.example>` })),
    );
  }
  const perSecond = recipients / ((performance.now() - started) / 1_000);
  await mailer.close();
  return perSecond;
}

/** Measures publishing an exam to 20 groups of 500: duration of the call, emails per second, and memory of the worker. */
export async function benchEmails(environment: BenchEnvironment): Promise<object[]> {
  const smtpUrl = `smtp://127.0.0.1:${barePort}`;
  const sink = await environment.program('mail', 'bench/programs/mailSink.js', { MAIL_PORT: String(barePort), BENCH_PORT: String(receiverControlPort) }, sinkUrl);
  const api = await environment.startApi();
  const worker = await environment.startWorker({ SMTP_URL: smtpUrl });
  try {
    const school = await environment.institution('emails', 1);
    const ids = await seedStudents(environment, school, recipients);
    const { items: [owner] } = await call<{ items: { id: string }[] }>(environment, school, 'GET', '/faculty');
    const group_ids: string[] = [];
    for (let nth = 0; nth < groups; nth += 1) {
      const { id } = await call<{ id: string }>(environment, school, 'POST', '/groups', { name: `Class ${nth}`, student_ids: ids.slice(nth * groupSize, (nth + 1) * groupSize) });
      group_ids.push(id);
    }
    const before = residentMegabytes(worker.pid);
    let highest = before;
    const began = now();
    await call(environment, school, 'POST', '/exams', { faculty_id: owner?.id, title: 'Algebra', group_ids });
    const answeredMs = now() - began;
    const { messages, addresses, lastAt } = await waitForArrivals(() => (highest = Math.max(highest, residentMegabytes(worker.pid))));
    const perSecond = recipients / ((lastAt - began) / 1_000);
    const bare = await bareEmailsPerSecond(smtpUrl, 'x'.repeat(400));
    return [
      {
        bench: `an exam published to ${groups} groups of ${groupSize}`,
        call_ms: Math.round(answeredMs),
        emails_per_s: Math.round(perSecond),
        mailer_alone_per_s: Math.round(bare),
        ratio: rounded(perSecond / bare),
        recipients_reached: addresses,
        repeated: messages - addresses,
        worker_mb_before: before,
        worker_mb_highest: highest,
      },
    ];
  } finally {
    await worker.stop(10_000);
    await api.stop(5_000);
    await sink.stop(5_000);
  }
}
