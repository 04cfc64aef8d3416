import { parseArgs } from 'node:util';

/** What the command line of `npm run test:cluster` says. */
export interface ClusterTestOptions {
  /** The scenarios to run; all of them if it is empty. */
  only: readonly string[];
  /** Calls a second. */
  perSecond: number;
  /** Random rounds of kill -9, after each process was killed once. */
  rounds: number;
  /** How long the network is cut, in seconds. */
  cutSeconds: number;
  /** How long each number of APIs is measured, in seconds. */
  scaleSeconds: number;
  /** The part of a core that each worker has while they are measured, in percent; an API has 0.8 times as much. */
  sharePercent: number;
  /** The release to upgrade from; undefined for the newest tag before this one. */
  from: string | undefined;
}

const numbers = { rate: 100, rounds: 20, cut: 60, scale: 20, share: 10 } as const;

function numberOf(name: keyof typeof numbers, given: string | undefined): number {
  const value = given === undefined ? numbers[name] : Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} must be a number`);
  return value;
}

/** Reads the command line; throws for an option that there is not. */
export function readClusterTestOptions(args: readonly string[]): ClusterTestOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string', default: '' }, rate: { type: 'string' }, rounds: { type: 'string' }, cut: { type: 'string' }, scale: { type: 'string' }, share: { type: 'string' }, from: { type: 'string' } },
  });
  return {
    only: values.only.split(',').filter((name) => name !== ''),
    perSecond: numberOf('rate', values.rate),
    rounds: numberOf('rounds', values.rounds),
    cutSeconds: numberOf('cut', values.cut),
    scaleSeconds: numberOf('scale', values.scale),
    sharePercent: numberOf('share', values.share),
    from: values.from,
  };
}
