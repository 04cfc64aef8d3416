import { possibleWorkflowIds } from '../outbox/workflows';
import type { Domain } from '../context';
import type { DeadFilter } from './replayDeadDeliveries';

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

const textsOf = (input: object, name: string): string[] | undefined => {
  const value: unknown = Reflect.get(input, name);
  return isTexts(value) ? value : undefined;
};

/** Returns what the workflow of a recovery or of a replay of dead deliveries was started for; undefined where Temporal no longer has it, or does not respond. */
export async function readSentSelection({ readWorkflowInput }: Pick<Domain, 'readWorkflowInput'>, id: string, epochs: readonly string[]): Promise<DeadFilter | undefined> {
  for (const workflowId of possibleWorkflowIds(id, epochs).toReversed()) {
    const input = await readWorkflowInput(workflowId);
    if (typeof input !== 'object' || input === null) continue;
    const since: unknown = Reflect.get(input, 'sinceMs');
    const until: unknown = Reflect.get(input, 'untilMs');
    if (typeof since !== 'number' || typeof until !== 'number') continue;
    return { since: new Date(since), until: new Date(until), eventTypes: textsOf(input, 'eventTypes'), responseCodes: textsOf(input, 'responseCodes') };
  }
  return undefined;
}
