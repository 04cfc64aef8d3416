import type { Command } from 'commander';
import { didYouMean } from '../lib/closestMatch';

/** Returns the name of a command as it is typed, groups first. */
export const fullCommandName = (command: Command): string => (command.parent === null ? command.name() : `${fullCommandName(command.parent)} ${command.name()}`);

function unknownCommand(group: Command, name: string): never {
  const available = group.commands.map((one) => one.name());
  return group.error(`error: unknown command '${name}' of '${fullCommandName(group)}'; there are ${available.length === 0 ? 'none' : available.join(', ')}${didYouMean(name, available)}`);
}

/** Shows the help of the command at these names below `from`. */
function showHelp(from: Command, [name, ...names]: readonly string[]): never {
  if (name === undefined) return from.help();
  return showHelp(from.commands.find((one) => one.name() === name) ?? unknownCommand(from, name), names);
}

/**
 * Makes a group show the help of the command named after `help`, and reject every other unknown name with the list of its
 * commands. The library's own `help` shows the whole group for an unknown name.
 */
export function handleUnknownCommands(group: Command): void {
  group.on('command:*', ([first = '', ...names]: string[]) => (first === 'help' ? showHelp(group, names) : unknownCommand(group, first)));
}
