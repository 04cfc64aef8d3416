import type { Command, Option } from 'commander';
import { isListOption } from '../listOption';
import { SuggestedArgument, SuggestedOption } from '../options';

/** A word that can be typed, and what it means. */
export interface CompletedWord {
  word: string;
  description: string;
}

/** An option of a command. */
export interface CompletedOption extends CompletedWord {
  takesValue: boolean;
  /** What it takes, where that is known. */
  values: readonly string[];
  /** Whether it takes several values, with commas between them. */
  isList: boolean;
  /** Whether its value is the name of a file. */
  isFile: boolean;
}

/** What can follow the words of a command. */
export interface CompletedCommand {
  /** As it is typed after the program's name: `deliveries list`; empty for the program. */
  path: string;
  commands: readonly CompletedWord[];
  /** What its arguments take, where that is known. */
  values: readonly string[];
  /** Its own options, and those of every command. */
  options: readonly CompletedOption[];
}

const toCompleted = (option: Option): CompletedOption => ({
  word: option.long ?? option.short ?? '',
  description: option.description,
  takesValue: option.required || option.optional,
  values: option instanceof SuggestedOption ? option.suggestions : (option.argChoices ?? []),
  isList: isListOption(option),
  isFile: option.flags.includes('<file>'),
});

const helpOption: CompletedOption = { word: '--help', description: 'display help for command', takesValue: false, values: [], isList: false, isFile: false };

/** Returns the program and every command of it, with what can follow. */
export function completedCommands(program: Command): CompletedCommand[] {
  const globals = program.options.map(toCompleted);
  const visit = (command: Command, path: string): CompletedCommand[] => [
    {
      path,
      commands: command.commands.map((one) => ({ word: one.name(), description: one.description() })),
      values: command.registeredArguments.flatMap((argument) => (argument instanceof SuggestedArgument ? argument.suggestions : (argument.argChoices ?? []))),
      options: [...(command === program ? [] : command.options.map(toCompleted)), ...globals, helpOption],
    },
    ...command.commands.flatMap((one) => visit(one, `${path} ${one.name()}`.trim())),
  ];
  return visit(program, '');
}

/** Values that options take, as several commands have them. */
export interface ValueGroup {
  /** The options, each behind its command: `deliveries list:--status`. */
  places: readonly string[];
  values: readonly string[];
  isList: boolean;
}

/** Returns what options take, where that is known, each list of values once: the time zones of every command would be most of a script. */
export function valueGroups(commands: readonly CompletedCommand[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup & { places: string[] }>();
  for (const { path, options } of commands) {
    for (const { word, values, isList } of options) {
      if (values.length === 0) continue;
      const key = `${isList} ${values.join(' ')}`;
      const group = groups.get(key) ?? { places: [], values, isList };
      groups.set(key, group);
      group.places.push(`${path}:${word}`);
    }
  }
  return [...groups.values()];
}

const optionsThat = (commands: readonly CompletedCommand[], applies: (option: CompletedOption) => boolean): string[] =>
  [...new Set(commands.flatMap(({ options }) => options.filter(applies).map(({ word }) => word)))].sort();

/** Every option that takes a value, of any command: the word after it is no command. */
export const valueOptions = (commands: readonly CompletedCommand[]): string[] => optionsThat(commands, ({ takesValue }) => takesValue);

/** Every option whose value is the name of a file. */
export const fileOptions = (commands: readonly CompletedCommand[]): string[] => optionsThat(commands, ({ isFile }) => isFile);
