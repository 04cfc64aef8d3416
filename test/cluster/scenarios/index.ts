import { figuresOf } from '../figures';
import type { ClusterTestOptions } from '../options';
import { brokenRules, brokenRulesOfLostStore, type Seen } from '../rules';
import type { Trial } from '../trial';
import { skewedClocks } from './clocks';
import { cut } from './cuts';
import { killAtRandom, killEach, killNamed } from './kills';

/** What a scenario saw, and which rules that breaks. */
export interface Outcome {
  seen: Seen & { promoted_s?: number; requests_afterwards?: number; long_claims?: number; workflow_task_failures?: number; long_work?: string };
  broken: string[];
}

/** Rows of several sizes, and which rules they break. */
export interface ScaleOutcome {
  rows: readonly object[];
  broken: string[];
}

/** Something that is done to a cluster under load. */
export type Scenario = (trial: Trial, options: ClusterTestOptions) => Promise<Outcome[]>;

/** Where what answers callers may be killed. */
const whileItIsKilled = { other5xxSeconds: 5 };

const outcome = (seen: Outcome['seen'], broken = brokenRules(seen)): Outcome[] => [{ seen, broken }];

/** The primary of Postgres is killed: the standby becomes the primary, and what was committed is there. */
export const lostPostgres: Scenario = async (trial) => {
  const { agent } = trial.cluster;
  const { seen } = await killNamed(trial, 'kill -9 of the Postgres primary', () => agent.primary.name);
  const promotion = agent.promotions.at(-1);
  const promoted_s = promotion === undefined ? 0 : (promotion.promotedAt - promotion.noticedAt) / 1_000;
  return outcome({ ...seen, promoted_s }, [...brokenRules(seen, whileItIsKilled), ...(promotion === undefined ? ['The standby was not promoted'] : [])]);
};

/** The primary of Redis is killed: the Sentinels promote the replica, and calls that nobody can count are refused until then. */
export const lostRedis: Scenario = async (trial) => {
  const { seen, recoveredAt } = await killNamed(trial, 'kill -9 of the Redis primary', () => 'redis-a');
  const afterwards = figuresOf(trial.caller, seen.scenario, recoveredAt);
  return outcome({ ...seen, requests_afterwards: afterwards.requests }, [...brokenRules(seen), ...brokenRulesOfLostStore(seen, afterwards)]);
};

/** Parts of Temporal are killed: nobody notices but by latency. */
export const lostTemporal: Scenario = async (trial) => {
  const outcomes: Outcome[] = [];
  for (const name of ['temporal-history-1', 'temporal-matching', 'temporal-frontend']) {
    const { seen } = await killNamed(trial, `kill -9 of ${name}`, () => name);
    const noticed = seen.asked_to_retry === '' ? [] : [`${seen.scenario}: callers noticed: ${seen.asked_to_retry}`];
    outcomes.push(...outcome(seen, [...brokenRules(seen), ...noticed]));
  }
  return outcomes;
};

/** The network between one worker and Temporal is cut. */
export const cutFromTemporal: Scenario = async (trial, { cutSeconds }) => outcome(await cut(trial, `worker and Temporal cut for ${cutSeconds} s`, 'worker-1', ['temporal'], cutSeconds));

/** The network between one worker and Postgres is cut, both ways. */
export const cutFromPostgres: Scenario = async (trial, { cutSeconds }) => outcome(await cut(trial, `worker and Postgres cut for ${cutSeconds} s`, 'worker-2', ['pgbouncer', 'postgres'], cutSeconds));

/** Clocks of two processes are 60 s apart from the others'. */
export const clocksApart: Scenario = async (trial) => {
  const seen = await skewedClocks(trial);
  return outcome(seen, [...brokenRules(seen), ...(seen.long_claims > 0 ? [] : [`${seen.scenario}: no claim lasted long enough to be looked at`])]);
};

/** Every process is killed once, then some by chance. */
export const killAll: Scenario = async (trial, { rounds }) => {
  const outcomes: Outcome[] = [];
  for (const seen of [await killEach(trial), await killAtRandom(trial, rounds)]) outcomes.push(...outcome(seen, brokenRules(seen, whileItIsKilled)));
  return outcomes;
};
