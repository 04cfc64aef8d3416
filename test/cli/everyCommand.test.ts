import type { Argument, Command } from 'commander';
import { commandTable } from '../../cli/commandTable';
import { examples } from '../../cli/examples';
import { createProgram } from '../../cli/program';
import { openNothing, commandLine } from '../support/commandLine';
import { startStubServer, succeeds, type StubServer } from '../support/stubServer';

/** Every command that does something, by its words after the program's name. */
const leavesOf = (command: Command, words: readonly string[] = []): [name: string, command: Command][] =>
  command.commands.length === 0 ? [[words.join(' '), command]] : command.commands.flatMap((one) => leavesOf(one, [...words, one.name()]));

const program = createProgram('1', openNothing);
const leaves = leavesOf(program);

const isOfIntegrators = (name: string): boolean => commandTable.some((entry) => entry.for === 'integrator' && entry.name === name.split(' ')[0]);

/** The words of a line of an example, as a shell splits them. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');

it('every command has examples, and there are no others', () => {
  expect(Object.keys(examples).sort()).toEqual(leaves.map(([name]) => name).sort());
});

it.each(leaves)('%s: its help shows its examples, each of which is a right command line', async (name, command) => {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  for (const line of examples[name] ?? []) {
    expect(help).toContain(`  ${line}\n`);
    const [, words = ''] = /institution ([^)>|]+)/.exec(line) ?? [];
    // It is read to its end: only what opens the context throws.
    const read = createProgram('1', openNothing).configureOutput({ writeErr: () => undefined }).parseAsync(wordsOf(words), { from: 'user' });
    await expect(read).rejects.toThrow(name === 'curricula create' ? /cannot be read|opens nothing/ : 'This command opens nothing');
    expect(wordsOf(words).join(' ').startsWith(name)).toBe(true);
  }
});

describe('with --json', () => {
  /** Those whose output has no end of its own: a line of JSON for each event. Their tests show it. */
  const followed = ['listen', 'events tail'];
  /** Ids by the names of arguments; of any other that of an institution. */
  const idOf: Record<string, string> = { delivery: 'whd_1', endpoint: 'we_1', event: 'evt_1' };
  /** What an argument takes where it is more than an id. */
  const special: Record<string, string[]> = {
    trigger: ['ping', '--endpoint', 'we_1'],
    'allowance set': ['ins_1', '1'],
    search: ['whd_1'],
    'events get': ['evt_01jd4k6f2mep2s5xg5yhc8m1zr'],
    completion: ['bash'],
    open: ['docs', '--print'],
    'institutions create': ['--name', 'x', '--login-domain', 'x.example', '--admin-email', 'x@x.example', '--admin-name', 'x'],
    'staff add': ['--name', 'x', '--email', 'x@x.example', '--role', 'support'],
    'staff update': ['stf_1', '--role', 'operator'],
    'staff tokens create': ['stf_1', '--name', 'x'],
    'keys create': ['ins_1', '--name', 'x', '--scope', 'students:read'],
    'replay-dead': ['we_1', '--since', '7d', '--no-wait'],
    recover: ['we_1', '--since', '7d', '--no-wait'],
    'endpoints list': ['ins_1'],
    'deliveries list': ['ins_1'],
    'curricula create': ['--file', `${__dirname}/../../package.json`],
  };
  const argumentsOf = (name: string, command: Command): string[] => special[name] ?? command.registeredArguments.filter((argument: Argument) => argument.required).map((argument) => idOf[argument.name()] ?? 'ins_1');
  const answer = {
    id: 'x_1', institution_id: 'ins_1', status: 'ready', items: [{ id: 'evt_01jd4k6f2mep2s5xg5yhc8m1zr', type: 'exam.graded', created_at: '2026-11-20T09:30:00.000Z', institution_id: 'ins_1', data: {} }],
    has_more: false, next_since: null, looked_for: 'webhook delivery, by id', note: null, time_zone: 'UTC', workflow_id: 'rpl_1', matched: 1, delivered: true, now: '2026-11-20T09:30:00.000Z',
  };
  let server: StubServer;

  beforeAll(async () => {
    server = await startStubServer([(response) => (response.req.url === '/readyz' ? response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ready"}') : succeeds(answer)(response))]);
  });

  afterAll(() => server.close());

  it.each(leaves.filter(([name]) => !followed.includes(name)))('%s writes one JSON document, and nothing else', async (name, command) => {
    const args = argumentsOf(name, command);
    const origin = new URL(server.baseUrl).origin;
    const cli = commandLine({ PLATFORM_URL: origin, PLATFORM_TOKEN: 't'.repeat(40), BASE_URL: server.baseUrl, API_KEY: 'svc_test_x' });
    const { code, out } = await cli.run(...name.split(' '), ...args, '--json');
    expect([code, typeof JSON.parse(out)]).toEqual([0, 'object']);
    expect(out.endsWith('}\n')).toBe(true);
  });

  it.each(leaves.filter(([name]) => isOfIntegrators(name) && !followed.includes(name)))('%s of an integrator takes --time-zone school, and asks for that of the key', async (name, command) => {
    const asked = server.requests.length;
    const cli = commandLine({ BASE_URL: server.baseUrl, API_KEY: 'svc_test_x' });
    const { code } = await cli.run(...name.split(' '), ...argumentsOf(name, command), '--time-zone', 'school', '--json');
    expect([code, server.requests[asked]?.url]).toEqual([0, '/v1/institution']);
  });
});

it('the help names the commands of integrators, of operators and of both under headings of their own', () => {
  const parts = program.helpInformation().split(/\n(?=For .*:\n)/);
  expect(parts.slice(1).map((part) => part.split('\n')[0])).toEqual(['For integrators, with API_KEY and BASE_URL:', 'For operators, with PLATFORM_TOKEN and PLATFORM_URL:', 'For both, with API_KEY and BASE_URL, or with PLATFORM_TOKEN and PLATFORM_URL:', 'For both, without either:']);
  expect(parts[1]).toMatch(/^ {2}listen /m);
  expect(parts[2]).toMatch(/^ {2}institutions /m);
  expect(parts[3]).toMatch(/^ {2}endpoints /m);
});
