import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { commandLine, type CommandLine, type CommandResult } from '../support/commandLine';
import { eventually } from '../support/eventually';
import { neverResponds, startStubServer } from '../support/stubServer';

let api: TestApi;
let cli: CommandLine;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
});

afterAll(() => api.stop());

/** Returns the exit code of a command that failed, and the only line that it wrote, parsed. */
function failureOf({ code, out, err }: CommandResult): unknown {
  const lines = err.split('\n');
  expect([out, lines.length, lines.at(-1)]).toEqual(['', 2, '']);
  return { code, error: JSON.parse(lines[0] ?? '') };
}

const requestId = expect.stringMatching(/^req_/);

describe('with --json a command that fails writes its error as the API would answer it, on one line, and keeps its exit code', () => {
  it('what the service refuses, with its code and request id', async () => {
    expect(failureOf(await cli.run('deliveries', 'show', 'whd_01jd4k6f2mep2s5xg5yhc8m1zr', '--json'))).toEqual({
      code: 1,
      error: { success: false, error: 'not_found', message: 'Nothing has this id.', request_id: requestId },
    });
  });

  it('with each issue', async () => {
    const made = await cli.run('institutions', 'create', '--name', ' ', '--login-domain', 'x', '--admin-email', 'nobody', '--admin-name', 'Ada', '--json');
    expect(failureOf(made)).toMatchObject({
      code: 1,
      error: { success: false, error: 'validation_error', request_id: requestId, issues: ['name', 'login_domain', 'admin_email'].map((path) => ({ path, message: expect.any(String) })) },
    });
  });

  it.each([
    ['an unknown option', ['--json', 'institutions', 'list', '--everything'], "unknown option '--everything'"],
    ['an option that is wrong before --json', ['institutions', 'list', '--timeout', '0', '--json'], "option '--timeout <seconds>' argument '0' is invalid. It must be a whole number from 1 to 600."],
    ['an unknown command', ['keys', 'lits', '--json'], "unknown command 'lits' of 'institution keys' (did you mean list?); there are list, create, revoke"],
    ['what the command itself refuses', ['institutions', 'list', '--all', '--page', '2', '--json'], expect.stringMatching(/^--all takes every page/)],
  ])('a wrong command line: %s', async (_what, args, message) => {
    expect(failureOf(await cli.run(...args))).toEqual({ code: 2, error: { success: false, error: 'usage', message } });
  });

  it('a group without a command, in place of its help', async () => {
    for (const [args, name] of [[['keys'], 'institution keys'], [[], 'institution']] as const) {
      expect(failureOf(await cli.run(...args, '--json'))).toEqual({ code: 2, error: { success: false, error: 'usage', message: `Name a command: ${name} --help lists them.` } });
    }
  });

  it('a service that is not there', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const nobody = commandLine({ PLATFORM_URL: url, PLATFORM_TOKEN: 'some-token'.repeat(4) });
    expect(failureOf(await nobody.run('institutions', 'list', '--json'))).toEqual({ code: 3, error: { success: false, error: 'unreachable', message: `${url} refuses connections; is it running?` } });
  });

  it('an interruption', async () => {
    const server = await startStubServer([neverResponds]);
    const waiting = commandLine({ PLATFORM_URL: new URL(server.baseUrl).origin, PLATFORM_TOKEN: 'some-token'.repeat(4) }).start('institutions', 'list', '--json');
    await eventually('its call', async () => server.requests.length > 0);
    waiting.process.kill('SIGINT');
    expect(failureOf(await waiting.ended)).toEqual({ code: 130, error: { success: false, error: 'interrupted', message: 'Interrupted; nothing was changed.' } });
    await server.close();
  });
});

it('--json of a command that succeeds writes no error', async () => {
  expect(await cli.run('institutions', 'list', '--json')).toMatchObject({ code: 0, err: '' });
});
