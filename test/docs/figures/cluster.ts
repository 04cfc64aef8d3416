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
    'Seen on 2026-11-27, on a machine with two cores, everything on it, with 100 calls a second, in one run of the command that took 16 minutes; tests of the checkout ran at the same time with the lowest priority (load average 6 to 8). In every line nothing was lost, wrong or done twice, no call failed in the end, and what arrived again had been in flight at the worker to which something was done. A status of 0 is a connection that ended before the answer; those calls were sent again by their idempotency key.',
    '| What | Requests | Half of them within | Slowest 1 % | Asked to come back | Other 5xx | Longest without a write | Events | Arrived again |',
    '| kill -9 of the Postgres primary | 2,056 | 90 ms | 4,200 ms | 2 × 503 | none | 2.4 s | 1,131 | 0 |',
    '| kill -9 of the Redis primary | 2,345 | 97 ms | 875 ms | 329 × 503 | none | 0.2 s | 1,110 | 0 |',
    '| kill -9 of temporal-history-1 | 1,285 | 60 ms | 286 ms | none | none | 0.2 s | 708 | 0 |',
    '| kill -9 of temporal-matching | 1,185 | 27 ms | 167 ms | none | none | 0.1 s | 653 | 0 |',
    '| kill -9 of temporal-frontend | 1,233 | 25 ms | 157 ms | none | none | 0.1 s | 679 | 0 |',
    '| worker and Temporal cut for 60 s | 7,897 | 14 ms | 144 ms | none | none | 0.2 s | 4,349 | 0 |',
    '| worker and Postgres cut for 60 s | 7,898 | 12 ms | 93 ms | none | none | 0.1 s | 4,349 | 0 |',
    '| clocks of a worker and an API 60 s apart | 7,388 | 14 ms | 162 ms | none | none | 0.1 s | 4,068 | 0 |',
    '| kill -9 of each process in turn | 15,496 | 22 ms | 3,941 ms | 773 × 503 | 16 × 0, 3 × 500, within 0 s | 3.7 s | 8,095 | 1 |',
    '| kill -9 at random, 20 rounds | 15,127 | 29 ms | 3,505 ms | 1083 × 503 | 61 × 0, within 0 s | 3.7 s | 7,708 | 2 |',
    '| rolling upgrade from v0.15.0 and back, twice | 15,947 | 37 ms | 3,581 ms | 32 × 429, 31 × 503 | none | 0.5 s | 8,813 | 0 |',
    'The standby was promoted 0.124 s after the primary was found dead, and writes went on 2.4 s after it was killed.',
    'A release before 0.14.0 speaks to Temporal by a way of its own without TLS, and payloads are not encrypted then; from 0.14.0 on both releases have TLS and encryption. Begun before the upgrade and ended after it: a batch of coupons, invitations of a guardian and of a developer, an attempt at an exam, deliveries in retry and at a paused endpoint, the end of an institution; begun while processes were replaced: four times each an erasure, an export, a step of a sandbox\'s clock and students in bulk. No workflow task failed.',
    'Half a minute of the calls of an upgrade is spent by processes that start: on two cores their calls wait, and 63 were asked to come back. API processes of a release before 0.16.0 are taken out of HAProxy before they are stopped; those from 0.16.0 on do that themselves: 15,947 calls, none without an answer.',
    'longer than 40 minutes, is', 'groups of version 1 as',
    'takes about ten minutes on two cores',
    '`openssl` 3 has to',
    'Docker Compose 2.24.4 or later',
    'no process of 0.13.0 or earlier',
    'of 0.13.0',
    'Throughput for each second of CPU time, each process limited to a part of a core, so that what is between them has more than enough: 0.1 of a core for a worker with a backlog of 2,000 deliveries, 0.08 for an API.',
    '| deliveries of workers | 1 | 260 | 0.69 s | 2,551 | 1 |',
    '| deliveries of workers | 2 | 476 | 0.71 s | 2,435 | 0.95 |',
    '| deliveries of workers | 3 | 599 | 0.68 s | 2,513 | 0.99 |',
    '| calls of APIs | 1 | 82 | 1.6 s | 1,031 | 1 |',
    '| calls of APIs | 2 | 204 | 3.2 s | 1,273 | 1.23 |',
    'Seen in a run of `scale` alone with nothing else on the machine. Neither workers nor APIs lose anything by being several: one API did 1,031 to 1,386 calls for each second of CPU time in four runs of that day, two did 1.01 to 1.23 times as many. The calls were of one school, a fifth of them changes.',
    'A minute apart',
  ],
};
