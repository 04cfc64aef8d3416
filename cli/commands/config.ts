import type { Command } from 'commander';
import { describeConnections } from '../connection';
import type { OpenKeyContext, OpenLocalContext } from '../context';
import { printRecord } from '../record';

export function config(command: Command, open: OpenLocalContext): void {
  command.description('Show which services the commands would call, and where key and token come from; never the credentials.').action(() => {
    const context = open();
    printRecord(context, describeConnections(context.environment, context.folder));
  });
}

export function me(command: Command, open: OpenKeyContext): void {
  command.description('Show the key that is used: its institution, environment and scopes.').action(async () => {
    const context = await open();
    printRecord(context, await context.api.call('GET', '/me'), ['request_id']);
  });
}
