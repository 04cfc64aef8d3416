import type { Command } from 'commander';
import { path } from '../call';
import { findInstitutionId, type CliContext, type OpenCliContext } from '../context';
import { getField, getItems, getString } from '../fields';
import { parseIdOf } from '../options';
import { formatRecord, formatTableFor } from '../tables';

const columns = ['endpoint_id', 'endpoint', 'outcome', 'at', 'delivery_id', 'reason'];

/** The words of an outcome, as the console has them; others are their own. */
const words: Readonly<Record<string, string>> = { queued: 'not distributed yet', unknown: 'not certain' };

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Returns what people see of an endpoint: its description, or else its URL; times in the reason by the clocks of the command. */
function toRow(found: unknown, { timeZone }: CliContext): object {
  const [outcome, description] = [getString(found, 'outcome'), getField(found, 'description')];
  const endpoint = typeof description === 'string' && description !== '' ? description : getField(found, 'url');
  const reason = getString(found, 'reason').replace(times, (time) => timeZone.show(time));
  return { ...(typeof found === 'object' ? found : {}), endpoint, reason, outcome: words[outcome] ?? outcome.replaceAll('_', ' ') };
}

/** Returns the id of an event; of a delivery that of its event. */
async function resolveEvent(context: CliContext, id: string): Promise<string> {
  if (!id.startsWith('whd_')) return id;
  const eventId = getString(await context.api.call('GET', path`/institutions/${await findInstitutionId(context, id)}/deliveries/${id}`), 'event_id');
  context.note(`${id} is a delivery of the event ${eventId}.`);
  return eventId;
}

export function explain(command: Command, open: OpenCliContext): void {
  command
    .description('Show an event, and for each endpoint of its institution whether it was delivered, or why not; failures first.')
    .argument('<event>', 'its id, evt_…, or that of one of its deliveries, whd_…', parseIdOf('evt_', 'whd_'))
    .action(async (id: string) => {
      const context = open();
      const event = await context.api.call('GET', path`/events/${await resolveEvent(context, id)}`);
      await context.timeZone.useInstitution(() => Promise.resolve(getString(event, 'time_zone')));
      context.print(event, (shown) => `${formatRecord(shown)}\n${formatTableFor(context.width, columns, getItems(shown, 'endpoints').map((found) => toRow(found, context)), ['reason'])}`);
    });
}
