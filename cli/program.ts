import { Command, type CommanderError, type Option } from 'commander';
import { didYouMean } from '../lib/closestMatch';
import { commandTable, describeCommands, headings, type CommandEntry } from './commandTable';
import { byKey, useTimeZoneOfKey, type CliContext, type KeyContext, type KeyPreferences, type LocalContext } from './context';
import { operatorsOnly, usageError } from './errors';
import { addExamples, exampleOf } from './examples';
import { fullCommandName, handleUnknownCommands } from './help';
import { isListOption } from './listOption';
import { parseActor, parseTimeZone, SuggestedOption, timeZoneNames, wholeNumber, type GlobalOptions } from './options';
import { schoolTimeZone } from './timeZone';

/** The same on every terminal, so that the documents can quote it. */
const helpWidth = 110;

const helpFooter = `
Operators' commands use the platform API only, integrators' the public API only: at the addresses in the
environment, or those of the local stack in .local/connection.json. A command of both uses the public API if
API_KEY is set and neither PLATFORM_TOKEN nor PLATFORM_URL is, otherwise the platform API. Exit codes: 0 success, 1 rejected,
2 wrong usage, 3 the service cannot be reached, 130 interrupted.`;

/** Creates what a command works with, from the options of the command line, when it runs. */
export interface OpenContexts {
  /** Whether a command of both takes the API key. */
  choosesKey(): boolean;
  /** `missing` is the message if nothing says where the platform API is. */
  operator(options: GlobalOptions, missing?: string): CliContext;
  integrator(options: GlobalOptions, preferences?: KeyPreferences): KeyContext;
  local(options: GlobalOptions): LocalContext;
}

/** The message of a command of both without any connection. */
const neitherMessage = 'Set API_KEY with BASE_URL, or PLATFORM_TOKEN with PLATFORM_URL, or run it where npm start keeps .local/connection.json.';

/** Says in the help of each command of both which of the two it takes. */
function addCredentialWords(command: Command): void {
  for (const one of command.commands) addCredentialWords(one);
  command.addHelpText('after', '\nIt uses the public API if API_KEY is set and neither PLATFORM_TOKEN nor PLATFORM_URL is, otherwise the platform API.');
}

function addEntry(command: Command, entry: CommandEntry, open: OpenContexts, options: () => GlobalOptions): void {
  switch (entry.for) {
    case 'integrator':
      entry.add(command, async (preferences) => {
        const context = open.integrator(options(), preferences);
        await useTimeZoneOfKey(context);
        return context;
      });
      break;
    case 'operator':
      entry.add(command, () => open.operator(options(), open.choosesKey() ? operatorsOnly(`institution ${entry.name}`, entry.instead) : undefined));
      break;
    case 'both':
      entry.add(command, () => (open.choosesKey() ? byKey(open.integrator(options())) : open.operator(options(), neitherMessage)));
      addCredentialWords(command);
      break;
    case 'local':
      entry.add(command, () => open.local(options()));
  }
}

const timeZoneOption = (): Option =>
  new SuggestedOption('--time-zone <zone>', "of shown times, and of given ones without an offset: Europe/Berlin; school: the institution's (default UTC)", [schoolTimeZone, ...timeZoneNames]).argParser(parseTimeZone);

/** Adds --time-zone to a command, or to each of a group; one that takes the zone of an institution shows times in that. */
function addTimeZoneOption(command: Command): void {
  for (const one of command.commands) addTimeZoneOption(one);
  if (command.commands.length > 0 || command.options.some(({ long }) => long === '--time-zone')) return;
  command.addOption(timeZoneOption());
}

/** Refuses an option that is given twice where it takes one value: the last one would silently win. */
function refuseRepeatedOptions(command: Command): void {
  for (const one of command.commands) refuseRepeatedOptions(one);
  for (const option of command.options) {
    if (!option.required || isListOption(option)) continue;
    let given = 0;
    command.on(`option:${option.name()}`, () => {
      given += 1;
      if (given > 1) command.error(`error: ${option.long ?? option.flags} is given twice: it takes one value`);
    });
  }
}

/** Returns what to do instead where a command got too many arguments: perhaps they are more values of one of its lists. */
function listHint(command: Command, { code }: CommanderError): string {
  const given = command.options.filter((option) => isListOption(option) && command.getOptionValueSource(option.attributeName()) === 'cli').map(({ long }) => long);
  return code !== 'commander.excessArguments' || given.length === 0 ? '' : ` For several values repeat ${given.join(' or ')}, or separate with commas.`;
}

/** Says of an argument too many that is a time of day that a blank has cut off its day. */
function blankHint(command: Command, { code }: CommanderError): string {
  const cutOff = code === 'commander.excessArguments' && command.args.some((text) => /^\d{1,2}:\d{2}/.test(text));
  return cutOff ? ' A value with a blank needs quotes, as in "yesterday 14:00".' : '';
}

/** Names the options that a command does not have, where it also lacks one that it needs: that one may have been meant. */
function unknownOptionHint(command: Command, { code }: CommanderError): string {
  const known = command.options.flatMap(({ long }) => long ?? []);
  const unknown = code === 'commander.missingMandatoryOptionValue' ? command.args.filter((text) => /^--[a-z]/.test(text)).map((text) => text.replace(/=.*/, '')) : [];
  return unknown.filter((text) => !known.includes(text)).map((text) => `; ${text} is no option of it${didYouMean(text, known)}`).join('');
}

const givenTooLittle: readonly string[] = ['commander.missingArgument', 'commander.missingMandatoryOptionValue'];

/** Returns the example of a command that was given too little. */
function exampleHint(command: Command, { code }: CommanderError): string {
  const example = givenTooLittle.includes(code) ? exampleOf(command) : undefined;
  return example === undefined ? '' : `, as in: ${example}`;
}

/** Returns the message of a wrong command line on one line. */
const plainMessage = ({ message }: CommanderError): string =>
  message.replace(/^error: /, '').replace('command-argument value', 'the value').replace(/\n\(Did you mean/, ' (did you mean');

/** Makes a command, and those below it, throw a CliError for a wrong command line. What was asked for, such as help, ends as before. */
function throwUsageErrors(command: Command, isJson: () => boolean): void {
  for (const one of command.commands) throwUsageErrors(one, isJson);
  command.exitOverride((error) => {
    // The help of a group has been written already, unless a program reads.
    if (error.exitCode === 0 || (error.code === 'commander.help' && !isJson())) throw error;
    throw usageError(error.code === 'commander.help' ? `Name a command: ${fullCommandName(command)} --help lists them.` : plainMessage(error) + listHint(command, error) + blankHint(command, error) + unknownOptionHint(command, error) + exampleHint(command, error));
  });
}

/** Makes a group, and the groups in it, name their commands where another one is typed. */
function handleUnknownCommandsOfGroups(command: Command): void {
  if (command.commands.length === 0) return;
  for (const one of command.commands) handleUnknownCommandsOfGroups(one);
  handleUnknownCommands(command);
}

/** Returns the whole command line; `open` creates the context when a command runs. */
export function createProgram(version: string, open: OpenContexts): Command {
  const program = new Command('institution');
  const isJson = (): boolean => program.opts<Partial<GlobalOptions>>().json === true;
  program
    .description('Work with the Institution API: as an integrator with a key, as an operator with the platform token.')
    .version(version)
    .option('--json', 'print one JSON document; a line of JSON for each event that is followed')
    .option('--timeout <seconds>', 'how long the service may take to respond', wholeNumber(1, 600), 30)
    .option('--actor <id>', 'act as this admin (fac_…) or developer (dev_…) of an institution', parseActor)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      writeErr: (text) => {
        if (!isJson()) process.stderr.write(text);
      },
      // It is thrown, and written where every error is.
      outputError: () => undefined,
    })
    .addHelpText('after', helpFooter);
  let timeZone: string | undefined;
  program.hook('preAction', (_program, command) => {
    // The option of `institutions create` is a field of the institution: its times stay in UTC.
    const isOfTimes = command.options.some(({ long, parseArg }) => long === '--time-zone' && parseArg === parseTimeZone);
    timeZone = isOfTimes ? command.opts<{ timeZone?: string }>().timeZone : undefined;
  });
  for (const entry of commandTable) {
    const command = program.command(entry.name).helpGroup(headings[entry.for]);
    if (entry.description !== undefined) command.description(entry.description).helpCommand(false);
    addEntry(command, entry, open, () => ({ ...program.opts<Omit<GlobalOptions, 'timeZone'>>(), timeZone: timeZone ?? 'UTC' }));
    if (entry.for !== 'local') addTimeZoneOption(command);
    handleUnknownCommandsOfGroups(command);
  }
  handleUnknownCommands(program, describeCommands);
  addExamples(program);
  refuseRepeatedOptions(program);
  throwUsageErrors(program, isJson);
  return program;
}
