import type { Command } from 'commander';
import type { Event } from '../../clients/typescript/src/openapi';
import { pause } from '../call';
import type { KeyContext, OpenKeyContext } from '../context';
import { CliError, usageError } from '../errors';
import type { EventType } from '../eventPattern';
import { eventTypeNames, parseEventType } from '../eventTypes';
import { findFeedEnd, readFeed } from '../feed';
import { getField, getItems } from '../fields';
import { parseId, parseIdOf, SuggestedArgument } from '../options';
import { formatTable, formatRecord } from '../tables';
import { Scene, type SceneOptions } from '../trigger/scene';
import { triggers } from '../trigger/triggers';

const pollIntervalMs = 200;

const isAbout = ({ data }: Event, ids: ReadonlySet<string>): boolean => Object.values(data).some((value) => typeof value === 'string' && ids.has(value));

/** Waits for the event, and returns all events since `begin` that are about these ids. */
async function waitForEvents(context: KeyContext, type: EventType, ids: ReadonlySet<string>, begin: string): Promise<Event[]> {
  const found: Event[] = [];
  const deadline = performance.now() + context.timeoutMs;
  let since: string | undefined = begin;
  for (;;) {
    const page = await readFeed(context, { types: [] }, since);
    found.push(...page.events.filter((event) => isAbout(event, ids)));
    since = page.since;
    if (!page.hasMore && found.some((event) => event.type === type)) return found;
    if (performance.now() >= deadline) {
      throw new CliError(`The calls were made, but no ${type} came within ${context.timeoutMs / 1_000} s: institution events tail --since ${begin}`, { kind: 'refused', code: 'no_event' });
    }
    if (!page.hasMore) await pause(pollIntervalMs, context.signal);
  }
}

/** Rejects what can be rejected without a call. */
function requireCause(type: EventType, { student, endpoint }: SceneOptions): (scene: Scene) => Promise<unknown> {
  const trigger = triggers[type];
  if ('unavailable' in trigger) throw new CliError(trigger.unavailable, { kind: 'refused', code: 'not_triggerable' });
  if (student !== undefined && trigger.student === undefined) throw usageError(`--student is of no use for ${type}.`);
  if (endpoint !== undefined && type !== 'ping') throw usageError('--endpoint is for ping alone.');
  return trigger.cause;
}

export function trigger(command: Command, open: OpenKeyContext): void {
  command
    .description('Cause an event in the sandbox by the calls that really cause it, and show the events that came of them.')
    .addArgument(new SuggestedArgument('<event>', 'an event type: exam.graded', eventTypeNames).argParser(parseEventType))
    .option('--student <id>', 'about this student, stu_… or a login email, instead of a new one', parseId)
    .option('--endpoint <id>', 'send the ping to this endpoint, we_…, instead of the only one', parseIdOf('we_'))
    .action(async (type: EventType, options: SceneOptions) => {
      const cause = requireCause(type, options);
      const context = await open({ prefersTestKey: true });
      if (!context.api.isTest) {
        throw usageError('The key is no test key, and only a sandbox is for trying things: npm start prints one, test_key in .local/connection.json, for API_KEY with BASE_URL; elsewhere the admin or a developer of the institution makes one in its portal, as an operator does by institution keys create ins_… --name trial --scope all --test.');
      }
      const scene = new Scene(context, options);
      if (type === 'ping') {
        const result = await scene.ping();
        context.print({ type, calls: scene.calls, result, items: [] }, (shown) => formatRecord(getField(shown, 'result')));
        if (!result.delivered) throw new CliError('The endpoint did not take the ping.', { kind: 'refused', code: 'not_delivered' });
        return;
      }
      const begin = await findFeedEnd(context);
      await cause(scene);
      const items = await waitForEvents(context, type, scene.ids, begin);
      context.print({ type, calls: scene.calls, items }, (shown) => formatTable(['created_at', 'type', 'id', 'data'], getItems(shown, 'items')));
    });
}
