import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from '../../local/projectRoot';
import { apiFixture } from '../support/apiFixture';
import { newEmail } from '../support/keyedApis';
import { environmentOf } from '../support/programs';
import { closeTestTemporal, deleteWorkflow, openTestTemporal } from '../support/temporal';
import { resealWorkflowId } from '../../workflows/contract';

const { api, call } = apiFixture({ institutionPer: 'file' });

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--require', './test/support/compileSource.js', 'worker/migrateMain.ts', ...args], {
    cwd: projectRoot(),
    env: { PATH: process.env.PATH, ...environmentOf(api.settings) },
  });

beforeAll(() => deleteWorkflow(openTestTemporal(api.settings), resealWorkflowId));
afterAll(closeTestTemporal);

it('npm run migrate -- reseal --status counts the sealed values by column and key', async () => {
  await call('POST', '/students', { personal_email: newEmail() });
  const { stdout } = await run('reseal', '--status');
  expect(stdout).toMatch(/^Newest key: test\nReseal: not started/);
  expect(stdout).toMatch(/^users\.personal_email_sealed +test +2$/m);
});

it('npm run migrate -- reseal starts the workflow, and says where it is to be seen', async () => {
  const { stdout } = await run('reseal');
  expect(stdout).toMatch(/^The workflow reseal seals every value under the key test: http\S+\n/);
  expect((await run('reseal', '--status')).stdout).toMatch(/^Reseal: running/m);
});

it('npm run migrate without arguments migrates the schema; with others it shows its usage', async () => {
  const failed = await run('reseal', '--now').catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage: migrate [reseal [--status] | temporal | partitions [<table> day|month]]') });
});
