import type { Command } from 'commander';

/** The name of a command as it is typed, groups first. */
const fullCommandName = (command: Command): string => (command.parent === null ? command.name() : `${fullCommandName(command.parent)} ${command.name()}`);

function unknownCommand(group: Command, name: string): never {
  const available = group.commands.map((one) => one.name());
  return group.error(`error: unknown command '${name}' of '${fullCommandName(group)}'; there are ${available.length === 0 ? 'none' : available.join(', ')}`);
}

/** Shows the help of the command that these names lead to from `from`. */
function showHelp(from: Command, [name, ...names]: readonly string[]): never {
  if (name === undefined) return from.help();
  return showHelp(from.commands.find((one) => one.name() === name) ?? unknownCommand(from, name), names);
}

/**
 * Has a group answer `help` with the help of what is named after it, and any other name that is none of its commands as
 * wrong usage that tells what there is. The library's own `help` shows the whole group for a name that it does not know.
 */
export function handleUnknownCommands(group: Command): void {
  group.on('command:*', ([first = '', ...names]: string[]) => (first === 'help' ? showHelp(group, names) : unknownCommand(group, first)));
}
