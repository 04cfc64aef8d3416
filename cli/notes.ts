import { path } from './call';
import type { CliContext, Terminal } from './context';
import { CliError } from './errors';
import { getField, getNumber, getString } from './fields';

/** Returns an answer that a note behind what has succeeded needs; undefined if the call fails, which is no failure of the command. */
export const answerIfAny = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });

/** Reads an institution for a note. */
export const readInstitution = (context: CliContext, id: string): Promise<unknown> => answerIfAny(context.api.call('GET', path`/institutions/${id}`, { asPlatform: true }));

/**
 * Says how many deliveries were given up when an endpoint was disabled, and what sends them again: a recovery from then on leaves them
 * out, because they are older. Undefined if there are none from before `beforeMs`.
 */
export function deadByDisablingNote({ timeZone }: Pick<Terminal, 'timeZone'>, health: unknown, beforeMs = Infinity): string | undefined {
  const [dead, oldest] = [getNumber(health, 'dead_by_disabling') ?? 0, getField(health, 'oldest_dead_by_disabling_at')];
  if (dead === 0 || typeof oldest !== 'string' || Date.parse(oldest) > beforeMs) return undefined;
  // A range begins after its start.
  const since = timeZone.show(new Date(Date.parse(oldest) - 1).toISOString());
  return `${dead === 1 ? '1 delivery was' : `${dead} deliveries were`} given up when it was disabled, no part of a recovery: institution replay-dead ${getString(health, 'id')} --since ${since}`;
}
