import type { Command } from 'commander';
import { didYouMean } from '../lib/closestMatch';

/** Returns the commands of a group, as a message names them. */
type DescribeCommands = (group: Command) => string;

/** Returns the name of a command as it is typed, groups first. */
export const fullCommandName = (command: Command): string => (command.parent === null ? command.name() : `${fullCommandName(command.parent)} ${command.name()}`);

/** Names the commands of a group. */
const listCommands = (group: Command): string => (group.commands.length === 0 ? 'none' : group.commands.map((one) => one.name()).join(', '));

function unknownCommand(group: Command, name: string, describe: DescribeCommands): never {
  const meant = didYouMean(name, group.commands.map((one) => one.name()));
  return group.error(`error: unknown command '${name}' of '${fullCommandName(group)}'${meant}; there are ${describe(group)}`);
}

/** Shows the help of the command at these names below `from`. */
function showHelp(from: Command, [name, ...names]: readonly string[], describe: DescribeCommands): never {
  if (name === undefined) return from.help();
  return showHelp(from.commands.find((one) => one.name() === name) ?? unknownCommand(from, name, describe), names, listCommands);
}

/**
 * Makes a group show the help of the command named after `help`, and reject every other unknown name with the list of its
 * commands. The library's own `help` shows the whole group for an unknown name.
 */
export function handleUnknownCommands(group: Command, describe: DescribeCommands = listCommands): void {
  group.on('command:*', ([first = '', ...names]: string[]) => (first === 'help' ? showHelp(group, names, describe) : unknownCommand(group, first, describe)));
}
