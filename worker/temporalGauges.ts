import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';

/** Interval between two looks at what Temporal has, in ms. */
const looksEveryMs = 60_000;

/** Gauges of what Temporal has, each with a value for every state that a look finds. */
interface TemporalGauges<State, Label extends string> {
  gauges: readonly { name: string; help: string; value: (state: State) => number }[];
  labelNames: readonly Label[];
  labels: (state: State) => Record<Label, string>;
  /** Finds the states, and passes them to `show`. */
  look: (show: (states: readonly State[]) => void) => Promise<void>;
  /** For the log: what cannot be read. */
  what: string;
  registry: Registry;
  logger: Logger;
  everyMs?: number | undefined;
}

/** Looks once a minute, and adds the gauges to the registry. They are absent while a look fails, which is logged once. */
export function startTemporalGauges<State, Label extends string>({ gauges, labelNames, labels, look, what, registry, logger, everyMs = looksEveryMs }: TemporalGauges<State, Label>): RepeatingTask {
  const added = gauges.map(({ name, help, value }) => ({ value, gauge: new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] }) }));
  let unread = false;
  const show = (states: readonly State[]): void => {
    unread = false;
    for (const { gauge, value } of added) {
      gauge.reset();
      for (const state of states) gauge.set(labels(state), value(state));
    }
  };
  return startRepeatingTask(() => look(show), {
    everyMs,
    onError: (error) => {
      for (const { gauge } of added) gauge.reset();
      if (!unread) logger.warn({ err: error }, `${what} cannot be read`);
      unread = true;
    },
  });
}
