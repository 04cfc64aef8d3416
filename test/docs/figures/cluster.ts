import { figure, figuresIn, seconds } from '../../support/figures';

const noWrite = figure('test/cluster/rules.ts', 'noWriteSeconds');
const [other5xx = 0] = figuresIn('test/cluster/scenarios/index.ts', /other5xxSeconds: (\d+)/);
const apiToWorker = figure('test/cluster/scenarios/scale.ts', 'apiToWorker');
const attempt = seconds(figure('outbound/webhooks/webhookClient.ts', 'exchangeTimeoutMs'));

/** Of the page about several machines. */
export const clusterFigures: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/cluster.md': [`within the ${attempt} s after`, `are killed with \`kill -9\`, for longer than ${other5xx} s`, `written for longer than ${noWrite} s`, `without an answer within ${attempt} s`, `an API has ${apiToWorker} times as much`],
};

/** What was seen there, on a day. */
export const clusterExamples: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/cluster.md': [
    'Seen on 2026-11-27, on a machine with two cores, everything on it, with 100 calls a second, in one run of the command in a fresh clone, with nothing else on the machine, that took 13 minutes. In every line nothing was lost, wrong or done twice, no call failed in the end, and what arrived again had been in flight at the worker to which something was done. A status of 0 is a connection that ended before the answer; those calls were sent again by their idempotency key.',
    '| What | Requests | Half of them within | Slowest 1 % | Asked to come back | Other 5xx | Longest without a write | Events | Arrived again |',
    '| kill -9 of the Postgres primary | 1,455 | 35 ms | 3,055 ms | 4 × 503 | none | 2.5 s | 799 | 1 |',
    '| kill -9 of the Redis primary | 2,098 | 7 ms | 105 ms | 316 × 503 | none | 0.2 s | 982 | 0 |',
    '| kill -9 of temporal-history-1 | 1,171 | 6 ms | 53 ms | none | none | 0.1 s | 645 | 0 |',
    '| kill -9 of temporal-matching | 1,169 | 9 ms | 66 ms | none | none | 0.1 s | 644 | 0 |',
    '| kill -9 of temporal-frontend | 1,216 | 11 ms | 102 ms | none | none | 0.1 s | 670 | 0 |',
    '| worker and Temporal cut for 60 s | 7,897 | 6 ms | 46 ms | none | none | 0.1 s | 4,349 | 0 |',
    '| worker and Postgres cut for 60 s | 7,897 | 8 ms | 86 ms | none | none | 0.1 s | 4,349 | 0 |',
    '| clocks of a worker and an API 60 s apart | 6,317 | 8 ms | 78 ms | none | none | 0.1 s | 3,479 | 0 |',
    '| kill -9 of each process in turn | 12,636 | 8 ms | 3,285 ms | 696 × 503 | 6 × 0, within 0 s | 3.6 s | 6,570 | 1 |',
    '| kill -9 at random, 20 rounds | 10,051 | 7 ms | 99 ms | 323 × 503 | 14 × 0, within 0.1 s | 0.2 s | 5,350 | 0 |',
    '| rolling upgrade from v0.15.0 and back, twice | 10,427 | 15 ms | 399 ms | 64 × 503 | none | 0.4 s | 5,775 | 0 |',
    'On 2026-11-28, with version 0.24.0 on a machine that did a fifth as much (1,602 reads a second by the bare handler of `npm run bench -- http`, where it was 8,000), the scenarios were run again in a fresh clone with `--rate 20`: none but `scale` (below) broke a rule, in 18 minutes, and nothing arrived again.',
    '| kill -9 of the Postgres primary | 350 | 61 ms | 3,907 ms | 1 × 503 | none | 3.9 s | 193 | 0 |',
    '| kill -9 of the Redis primary | 435 | 18 ms | 197 ms | 65 × 503 | none | 1 s | 204 | 0 |',
    '| kill -9 of temporal-history-1 | 248 | 20 ms | 142 ms | none | none | 0.2 s | 137 | 0 |',
    '| kill -9 of temporal-matching | 249 | 16 ms | 86 ms | none | none | 0.2 s | 138 | 0 |',
    '| kill -9 of temporal-frontend | 261 | 15 ms | 116 ms | none | none | 0.2 s | 145 | 0 |',
    '| worker and Temporal cut for 60 s | 1,652 | 16 ms | 108 ms | none | none | 0.2 s | 914 | 0 |',
    '| worker and Postgres cut for 60 s | 1,652 | 16 ms | 95 ms | none | none | 0.2 s | 914 | 0 |',
    '| clocks of a worker and an API 60 s apart | 1,750 | 21 ms | 197 ms | none | none | 0.2 s | 967 | 0 |',
    '| kill -9 of each process in turn | 3,622 | 29 ms | 4,251 ms | 158 × 503 | 8 × 0, 1 × 500, within 0.1 s | 4.4 s | 1,909 | 0 |',
    '| kill -9 at random, 20 rounds | 3,223 | 25 ms | 3,720 ms | 72 × 503 | 9 × 0, within 0.1 s | 3.9 s | 1,736 | 0 |',
    '| rolling upgrade from v0.23.0 and back, twice | 4,591 | 31 ms | 672 ms | none | none | 0.3 s | 2,606 | 0 |',
    'With 100 calls a second that machine has nothing left: half of the calls took 0.3 to 3 s, thousands were asked to come back, 71 of 37,547 requests were those of calls that failed in the end, and 22 events arrived again after an attempt without an answer within 10 s.',
    "On the slower machine of 2026-11-28 a tenth of a core was too little, because a worker needs a part of it without any delivery: in five runs three workers did 0.62 to 0.93 of one's work for each second of CPU time, and the figures of one and the same thing were up to twice apart. With `--share 30`, since when workers have delivered before and are measured from the first fifth of the backlog on: one worker 1,472 deliveries for each second of CPU time, two 1,665, three 1,720 (1.17 to one); one API 319 calls, two 375 (1.18).",
    'at which half of the calls take less than 100 ms.',
    'The standby was promoted 0.12 s after the primary was found dead, and writes went on 2.5 s after it was killed.',
    'A release before 0.14.0 speaks to Temporal by a way of its own without TLS, and payloads are not encrypted then; from 0.14.0 on both releases have TLS and encryption. Begun before the upgrade and ended after it: a batch of coupons, invitations of a guardian and of a developer, an attempt at an exam, deliveries in retry and at a paused endpoint, the end of an institution; begun while processes were replaced: four times each an erasure, an export, a step of a sandbox\'s clock and students in bulk. No workflow task failed.',
    'Processes that start take part of the two cores: calls wait meanwhile, and 64 were asked to come back. API processes of a release before 0.16.0 are taken out of HAProxy before they are stopped; those from 0.16.0 on do that themselves: 10,427 calls, none without an answer.',
    'longer than 40 minutes, is', 'groups of version 1 as',
    'takes about ten minutes on two cores',
    '`openssl` 3 has to',
    'Docker Compose 2.24.4 or later',
    'no process of 0.13.0 or earlier',
    'of 0.13.0',
    'Throughput for each second of CPU time, each process limited to a part of a core, so that what is between them has more than enough: 0.1 of a core for a worker with a backlog of 2,000 deliveries, 0.08 for an API.',
    '| deliveries of workers | 1 | 383 | 0.47 s | 3,745 | 1 |',
    '| deliveries of workers | 2 | 787 | 0.4 s | 4,320 | 1.15 |',
    '| deliveries of workers | 3 | 847 | 0.43 s | 4,009 | 1.07 |',
    '| calls of APIs | 1 | 96 | 1.6 s | 1,204 | 1 |',
    '| calls of APIs | 2 | 233 | 3.2 s | 1,457 | 1.21 |',
    'Neither workers nor APIs lose anything by being several: one API did 1,031 to 1,386 calls for each second of CPU time in five runs of that day, two did 1.01 to 1.23 times as many. The calls were of one school, a fifth of them changes.',
    'A minute apart',
  ],
};
