import { figure, figuresIn, seconds } from '../../support/figures';

const noWrite = figure('test/cluster/rules.ts', 'noWriteSeconds');
const [other5xx = 0] = figuresIn('test/cluster/scenarios/index.ts', /other5xxSeconds: (\d+)/);
const attempt = seconds(figure('outbound/webhooks/webhookClient.ts', 'exchangeTimeoutMs'));

/** Of the page about several machines. */
export const clusterFigures: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/cluster.md': [`within the ${attempt} s after`, `are killed with \`kill -9\`, for longer than ${other5xx} s`, `written for longer than ${noWrite} s`],
};

/** What was seen there, on a day. */
export const clusterExamples: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/cluster.md': [
    'Seen on 2026-11-23, on two cores that others used at the same time (load average 8 to 14), with 30 calls a second, 40 in the first line and 20 in the last. In every line nothing was lost, wrong or done twice, no call failed in the end, and what arrived again had been in flight when something was done to any of the processes: whether that was its own worker was not looked at then. A status of 0 is a connection that ended before the answer.',
    '| What | Requests | Slowest 1 % | Asked to come back | Other 5xx | Longest without a write | Events | Arrived again |',
    '| kill -9 of the Postgres primary | 832 | 4,130 ms | 1 × 503 | 1 × 500, within 0 s | 4.2 s | 458 | 1 |',
    '| kill -9 of the Redis primary | 680 | 367 ms | 143 × 503 | none | 2.9 s | 297 | 0 |',
    '| kill -9 of temporal-history-1 | 370 | 152 ms | none | none | 0.2 s | 204 | 0 |',
    '| kill -9 of temporal-matching | 365 | 109 ms | none | none | 0.2 s | 202 | 0 |',
    '| kill -9 of temporal-frontend | 370 | 118 ms | none | none | 0.2 s | 204 | 0 |',
    '| worker and Temporal cut for 60 s | 2,437 | 103 ms | none | none | 0.2 s | 1,346 | 0 |',
    '| clocks of a worker and an API 60 s apart | 2,079 | 180 ms | none | none | 0.2 s | 1,147 | 0 |',
    '| worker and Postgres cut for 60 s | 2,433 | 178 ms | none | none | 0.2 s | 1,343 | 0 |',
    '| kill -9 of each process in turn | 5,387 | 3,400 ms | 451 × 503 | 8 × 0, 2 × 500, within 0.2 s | 3.6 s | 2,717 | 0 |',
    '| kill -9 at random, 20 rounds | 4,632 | 2,924 ms | 34 × 503 | 10 × 0, within 0.1 s | 3.7 s | 2,532 | 1 |',
    '| rolling upgrade from v0.13.0 and back, twice | 2,456 | 491 ms | none | none | 0.5 s | 1,357 | 0 |',
    'The standby was promoted 0.15 s after the primary was found dead; the former primary was the synchronous standby again 9 s later.',
    'A release before 0.14.0 speaks to Temporal by a way of its own without TLS, and payloads are not encrypted then; from 0.14.0 on both releases have TLS and encryption. Seen on that day, begun before the upgrade and ended after it: a batch of coupons, invitations of a guardian and of a developer, an attempt at an exam, deliveries in retry. No workflow task failed. The trial now also has deliveries at a paused endpoint and the end of an institution go on, and begins an erasure, an export, a step of a sandbox\'s clock and students in bulk while processes are replaced.',
    'longer than 40 minutes, is', 'groups of version 1 as',
    'takes about ten minutes on two cores',
    '`openssl` 3 has to',
    'Docker Compose 2.24.4 or later',
    'no process of 0.13.0 or earlier',
    'of 0.13.0',
    'Throughput for each second of CPU time, each process limited to a part of a core, so that what is between them has more than enough: 0.1 of a core for a worker with a backlog of 2,000 deliveries, 0.08 for an API.',
    '| deliveries of workers | 1 | 335 | 0.53 s | 3,260 | 1 |',
    '| deliveries of workers | 2 | 679 | 0.53 s | 3,260 | 1 |',
    '| deliveries of workers | 3 | 1,139 | 0.49 s | 3,592 | 1.1 |',
    '| calls of APIs | 1 | 106 | 1.61 s | 1,316 | 1 |',
    '| calls of APIs | 2 | 157 | 2.97 s | 1,059 | 0.8 |',
    'Workers lose nothing by being several. Two APIs did 0.8 of one\'s work for each second, below the 0.85 that the command asks for and with the same result three times; why is not known. The calls were of one school, a fifth of them changes.',
    'A minute apart',
  ],
};
