import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completedCommands } from '../../cli/completion/tree';
import { createProgram } from '../../cli/program';
import { commandLine, openNothing } from '../support/commandLine';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  for (const shell of shells) writeFileSync(join(folder, shell), await commandLine({}).text('completion', shell));
  writeFileSync(join(folder, 'fractions.json'), '{}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a shell writes for a script. */
function run(shell: Shell, script: string): string {
  const { status, stdout, stderr, error } = spawnSync(shell, shell === 'bash' ? ['--norc', '-c', script] : ['-c', script], { cwd: folder, encoding: 'utf8' });
  if (error !== undefined || status !== 0 || stderr !== '') throw new Error(`${shell} ended with ${status}: ${stderr}${error?.message ?? ''}`);
  return stdout;
}

/** What bash offers behind these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const typed = ['institution', ...words].map((word) => `'${word}'`).join(' ');
  const out = run('bash', `source ./bash; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _institution; printf '%s\\n' "\${COMPREPLY[@]}"`);
  return out.split('\n').filter((line) => line !== '');
}

const commands = completedCommands(createProgram('1', openNothing));

it('bash completes every command of every group, and every option of every command', () => {
  expect(commands.length).toBeGreaterThan(40);
  for (const { path, commands: below, options } of commands) {
    const words = path === '' ? [] : path.split(' ');
    if (below.length > 0) expect(offered(...words, '')).toEqual(below.map(({ word }) => word));
    expect(offered(...words, '--')).toEqual(options.map(({ word }) => word));
  }
});

it('bash is given the function for the command', () => {
  expect(run('bash', 'source ./bash; complete -p institution')).toBe('complete -F _institution institution\n');
});

it.each([
  ['a begun command', ['del'], ['deliveries']],
  ['a command behind options and their values', ['--json', '--timeout', '5', 'deliveries', 'l'], ['list']],
  ['the values of an option', ['deliveries', 'list', 'North School', '--status', 'd'], ['delivered', 'dead']],
  ['the same of another command: none', ['deliveries', 'show', '--status', 'd'], []],
  ['values with a star, which no file name replaces', ['events', 'tail', '--type', 'exam.'], ['exam.*', 'exam.published', 'exam.assigned', 'exam.attempt_started', 'exam.submitted', 'exam.graded']],
  ['a value behind a comma', ['events', 'tail', '--type', 'student.created,exam.gr'], ['student.created,exam.graded']],
  ['a comma of an option with one value: nothing', ['deliveries', 'list', '--status', 'dead,'], []],
  ['an argument', ['trigger', 'merits.'], ['merits.credited']],
  ['a shell', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['a scope', ['keys', 'create', 'ins_1', '--scope', 'al'], ['all', 'alpha:read', 'alpha:write']],
  ['a condition of an endpoint', ['endpoints', 'list', '--status', 'o'], ['open']],
  ['a time zone', ['events', 'list', '--time-zone', 'Europe/Berl'], ['Europe/Berlin']],
  ['the word for that of the school, where there is one', ['endpoints', 'list', '--time-zone', 'sch'], ['school']],
  ['a page', ['open', 'con'], ['console']],
  ['a file', ['curricula', 'create', '--file', 'frac'], ['fractions.json']],
  ['the value of an option that can be anything: nothing', ['--timeout', ''], []],
  ['the options of a command without other words', ['events', 'list', '--u'], ['--until']],
])('bash completes %s', (_what, words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

/** The shells besides bash that this machine has; what it lacks is named, and not run. */
const present = (['zsh', 'fish'] as const).filter((shell) => {
  const isPresent = spawnSync(shell, ['-c', 'true']).error === undefined;
  if (!isPresent) process.stderr.write(`completion script, not run here: ${shell}\n`);
  return isPresent;
});

/** How a shell reads the script, and says that it has a completion of the program. */
const reading: Record<(typeof present)[number], { parse: string; complete: string; says: string }> = {
  zsh: { parse: 'zsh -n ./zsh', complete: 'autoload -Uz compinit; compinit -u -D; source ./zsh; print -r -- "$_comps[institution]"', says: '_institution' },
  fish: { parse: 'fish --no-execute ./fish', complete: 'source ./fish; complete -C "institution completion "', says: 'bash' },
};

it('zsh and fish, where the machine has them, read their scripts and complete the program', () => {
  for (const shell of present) {
    const { parse, complete, says } = reading[shell];
    expect([shell, run(shell, parse)]).toEqual([shell, '']);
    // Fish puts a description behind a tab, where a word has one.
    expect([shell, run(shell, complete).split('\n').map((line) => line.split('\t')[0])]).toEqual([shell, expect.arrayContaining([says])]);
  }
});

it('fish, where the machine has it, completes a value behind a comma', () => {
  if (!present.includes('fish')) return;
  expect(run('fish', 'source ./fish; complete -C "institution events tail --type student.created,exam.gr"')).toMatch(/^student\.created,exam\.graded\t.+\n$/);
});

it('fish, where the machine has it, completes a time zone', () => {
  if (!present.includes('fish')) return;
  expect(run('fish', 'source ./fish; complete -C "institution events list --time-zone Europe/Berl"')).toMatch(/^Europe\/Berlin(?:\t.+)?\n$/);
});

it('a script has each list of values once, though many commands take it', () => {
  for (const shell of shells) expect(readFileSync(join(folder, shell), 'utf8').match(/Asia\/Tokyo/g)?.length).toBe(2);
});

it('the scripts for zsh and fish have every command, option and value', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const script = spawnSync('cat', [join(folder, shell)], { encoding: 'utf8' }).stdout;
    for (const { path, commands: below, values, options } of commands) {
      expect(script).toContain(path);
      for (const word of [...below.map((one) => one.word), ...values, ...options.flatMap((one) => [one.word.slice(2), ...one.values])]) expect(script).toContain(word);
    }
  }
});

it('a shell that is none ends with 2', async () => {
  expect(await commandLine({}).run('completion', 'tcsh')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: .+Allowed choices are bash, zsh, fish\.\n$/) });
});
