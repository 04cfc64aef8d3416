import type { ClusterTestOptions } from '../options';
import { brokenRules, type Seen, type Trial } from '../trial';
import { skewedClocks } from './clocks';
import { cut } from './cuts';
import { killAtRandom, killEach, killNamed } from './kills';

/** What a scenario saw, and which rules that breaks. */
export interface Outcome {
  seen: Seen & { promoted_s?: number; workflow_task_failures?: number; long_work?: string };
  broken: string[];
}

/** Rows of several sizes, and which rules they break. */
export interface ScaleOutcome {
  rows: readonly object[];
  broken: string[];
}

/** Something that is done to a cluster under load. */
export type Scenario = (trial: Trial, options: ClusterTestOptions) => Promise<Outcome[]>;

const outcome = (seen: Outcome['seen'], broken = brokenRules(seen)): Outcome[] => [{ seen, broken }];

/** The primary of Postgres is killed: the standby becomes the primary, and what was committed is there. */
export const lostPostgres: Scenario = async (trial) => {
  const { agent } = trial.cluster;
  const seen = await killNamed(trial, 'kill -9 of the Postgres primary', () => agent.primary.name);
  const promotion = agent.promotions.at(-1);
  const promoted_s = promotion === undefined ? 0 : (promotion.promotedAt - promotion.noticedAt) / 1_000;
  return outcome({ ...seen, promoted_s }, [...brokenRules(seen), ...(promotion === undefined ? ['The standby was not promoted'] : [])]);
};

/** The primary of Redis is killed: the Sentinels promote the replica. */
export const lostRedis: Scenario = async (trial) => outcome(await killNamed(trial, 'kill -9 of the Redis primary', () => 'redis-a'));

/** Parts of Temporal are killed: nobody notices but by latency. */
export const lostTemporal: Scenario = async (trial) => {
  const outcomes: Outcome[] = [];
  for (const name of ['temporal-history-1', 'temporal-matching', 'temporal-frontend']) {
    const seen = await killNamed(trial, `kill -9 of ${name}`, () => name);
    const noticed = seen.other_5xx === '' && seen.asked_to_retry === '' ? [] : [`${seen.scenario}: callers noticed: ${seen.asked_to_retry} ${seen.other_5xx}`];
    outcomes.push(...outcome(seen, [...brokenRules(seen), ...noticed]));
  }
  return outcomes;
};

/** The network between one worker and Temporal is cut. */
export const cutFromTemporal: Scenario = async (trial, { cutSeconds }) => outcome(await cut(trial, `worker and Temporal cut for ${cutSeconds} s`, 'worker-1', ['temporal'], cutSeconds));

/** The network between one worker and Postgres is cut, both ways. */
export const cutFromPostgres: Scenario = async (trial, { cutSeconds }) => outcome(await cut(trial, `worker and Postgres cut for ${cutSeconds} s`, 'worker-2', ['pgbouncer', 'postgres'], cutSeconds));

/** Clocks of two processes are 60 s apart from the others'. */
export const clocksApart: Scenario = async (trial) => outcome(await skewedClocks(trial));

/** Every process is killed once, then some by chance. */
export const killAll: Scenario = async (trial, { rounds }) => [...outcome(await killEach(trial)), ...outcome(await killAtRandom(trial, rounds))];
