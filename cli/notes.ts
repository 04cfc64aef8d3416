import type { CliContext } from './context';
import { CliError } from './errors';

/** Returns an answer that a note behind what has succeeded needs; undefined if the call fails, which is no failure of the command. */
export const answerIfAny = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });

/** Returns the health of an endpoint for a note; undefined if it cannot be read. */
export const readHealth = (context: CliContext, endpointPath: string): Promise<unknown> => answerIfAny(context.api.call('GET', `${endpointPath}/health`, { asPlatform: true }));
