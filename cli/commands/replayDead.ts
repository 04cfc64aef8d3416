import type { Command } from 'commander';
import { printBulkWork, type BulkWork } from '../bulkWork';
import { path } from '../call';
import { findInstitutionId, type OpenCliContext } from '../context';
import type { EventPattern } from '../eventPattern';
import { collectPatterns, eventPatterns } from '../eventTypes';
import { collectOption, parseId, parseTimestamp, SuggestedOption } from '../options';

interface Options {
  since: string;
  until?: string;
  eventTypes?: EventPattern[];
  /** False with --no-wait. */
  wait: boolean;
}

const replay: BulkWork = { name: 'replay', done: 'replayed', stopReasons: { endpoint_inactive: 'The endpoint no longer takes deliveries: the remaining ones stay dead.' } };
const recovery: BulkWork = { name: 'recovery', done: 'recovered', stopReasons: { endpoint_inactive: 'The endpoint no longer takes deliveries: the remaining events get none.' } };

/** Adds the time range, the event types and --no-wait. */
const withRange = (command: Command): Command =>
  command
    .requiredOption('--since <moment>', 'created after a time, 2026-11-20T09:30:00Z, or an age: 30m, 24h, 7d (required)', parseTimestamp)
    .option('--until <moment>', 'created up to a time or an age (default now)', parseTimestamp)
    .addOption(new SuggestedOption('--event-types <pattern>', 'of these types only: exam.graded, exam.*; repeat it, or give several with commas', eventPatterns).argParser(collectPatterns))
    .option('--no-wait', 'do not follow it');

export function replayDead(command: Command, open: OpenCliContext): void {
  withRange(command)
    .description('Send every dead delivery of an endpoint again, oldest first, and follow the replay to its end.')
    .argument('<endpoint>', 'its id, we_…', parseId)
    .option('--response-codes <code>', 'whose last attempt was answered so: 503, or a class, 5xx; repeat it for more', collectOption)
    .action(async (id: string, { since, until, eventTypes, responseCodes, wait }: Options & { responseCodes?: string[] }) => {
      const context = open();
      const requestPath = path`/institutions/${await findInstitutionId(context, id)}/webhook-endpoints/${id}/replay-dead`;
      const body = { since, until, event_types: eventTypes, response_codes: responseCodes };
      await printBulkWork(context, replay, await context.api.call('POST', requestPath, { body }), wait);
    });
}

export function recover(command: Command, open: OpenCliContext): void {
  withRange(command)
    .description('Send an endpoint the events of a time for which it has no delivery, oldest first, and follow it to its end.')
    .argument('<endpoint>', 'its id, we_…', parseId)
    .action(async (id: string, { since, until, eventTypes, wait }: Options) => {
      const context = open();
      const requestPath = path`/institutions/${await findInstitutionId(context, id)}/webhook-endpoints/${id}/recover`;
      await printBulkWork(context, recovery, await context.api.call('POST', requestPath, { body: { since, until, event_types: eventTypes } }), wait);
    });
}
