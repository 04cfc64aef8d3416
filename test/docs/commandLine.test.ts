import type { Command } from 'commander';
import { commandTable, type CommandEntry } from '../../cli/commandTable';
import { createProgram } from '../../cli/program';
import { commandLine, openNothing } from '../support/commandLine';
import { documents, readDocument } from '../support/documents';

const document = 'docs/operations/cli.md';

const program = createProgram('1', openNothing);

/** Every command that does something, by its full name. */
function commandsOf(command: Command, before = ''): [name: string, command: Command][] {
  const name = `${before}${command.name()}`;
  return command.commands.length === 0 ? [[name, command]] : command.commands.flatMap((one) => commandsOf(one, `${name} `));
}

/** The help of a command as the document has it: what holds for every command stands there once. */
const shownHelp = (command: Command): string => (command.helpInformation().split('\nGlobal Options:')[0] ?? '').trimEnd();

/** The commands that a document shows, with what it shows of each. */
const shownIn = (path: string): [name: string, help: string][] =>
  [...readDocument(path).matchAll(/^### `(institution .+)`\n\n```\n([\s\S]*?)\n```$/gm)].map(([, name = '', help = '']) => [name, help]);

const shown = shownIn(document);

/** Whether a command is for one of these; a command of both is on both pages. */
const isFor = (...audiences: readonly CommandEntry['for'][]) => (name: string): boolean => commandTable.some((entry) => entry.name === name.split(' ')[1] && audiences.includes(entry.for));

it.each([
  [document, 25, isFor('operator', 'both')],
  ['docs/cli.md', 19, isFor('integrator', 'both', 'local')],
] as const)('%s shows each of its commands with what its --help says, and no other', (path, least, belongs) => {
  const commands = commandsOf(program).filter(([name]) => belongs(name));
  expect(commands.length).toBeGreaterThan(least);
  expect(shownIn(path)).toEqual(commands.map(([name, command]) => [name, shownHelp(command)]));
});

it(`${document} shows the options of every command`, () => {
  const [, options = ''] = program.helpInformation().split('\nOptions:\n');
  expect(readDocument(document)).toContain(`\`\`\`\n${(options.split('\n\n')[0] ?? '').trimEnd()}\n\`\`\``);
});

it('is what the command line itself writes', async () => {
  const [name = '', help = ''] = shown.find(([command]) => command === 'institution deliveries list') ?? [];
  const written = await commandLine({}).text(...name.split(' ').slice(1), '--help');
  expect(written.startsWith(`${help}\n`)).toBe(true);
  const [, globals = ''] = written.split('\nGlobal Options:\n');
  expect(globals).toContain('--json');
});

it('a program that a document runs by npx and that is not installed there is installed without a question', () => {
  expect(documents.filter((path) => /\bnpx (?!--yes )tsx\b/.test(readDocument(path)))).toEqual([]);
});
