import { parseArgs } from 'node:util';

/** What `npm run test:upgrade -- …` accepts. */
export interface UpgradeOptions {
  /** The release to come from, a tag of git; undefined for the one before this one. */
  from: string | undefined;
  /** Releases in between, in their order, each of which is migrated to and rolled out. */
  via: readonly string[];
  /** Deliveries that have ended, each with its event and its attempt, filled in before. */
  deliveries: number;
  /** How long the new release runs under load before the way back. */
  minutes: number;
  perSecond: number;
  /** The longest that a call may take, in ms. */
  slowestMs: number;
  /** Whether the old release comes back on the new schema, and the new one again. */
  back: boolean;
  /** Whether the old release's conformance day is played on the new schema. */
  conformance: boolean;
}

const numbers = { deliveries: 20_000, minutes: 0.5, rate: 25, slowest: 1_000 } as const;

function numberOf(name: keyof typeof numbers, given: string | undefined): number {
  const value = given === undefined ? numbers[name] : Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} must be a number`);
  return value;
}

/** Reads the command line; throws for an option that there is not. */
export function readUpgradeOptions(args: readonly string[]): UpgradeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' }, via: { type: 'string', default: '' }, 'no-back': { type: 'boolean', default: false }, 'no-conformance': { type: 'boolean', default: false },
      deliveries: { type: 'string' }, minutes: { type: 'string' }, rate: { type: 'string' }, slowest: { type: 'string' },
    },
  });
  return {
    from: values.from,
    via: values.via.split(',').filter((tag) => tag !== ''),
    deliveries: numberOf('deliveries', values.deliveries),
    minutes: numberOf('minutes', values.minutes),
    perSecond: numberOf('rate', values.rate),
    slowestMs: numberOf('slowest', values.slowest),
    back: !values['no-back'],
    conformance: !values['no-conformance'],
  };
}
