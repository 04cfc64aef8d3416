import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientRepository } from '../support/clientPackage';

let repository: string;
let project: string;

afterAll(() => {
  for (const folder of [repository, project]) rmSync(folder, { recursive: true, force: true });
});

it('npm installs the client from a branch that `git subtree split` makes, and builds it', async () => {
  repository = clientRepository();
  project = mkdtempSync(join(tmpdir(), 'school-'));
  const environment = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const run = (program: string, args: readonly string[], cwd: string): Promise<unknown> => promisify(execFile)(program, args, { cwd, env: environment });
  rmSync(join(repository, 'node_modules'), { recursive: true });
  const author = ['-c', 'user.name=School', '-c', 'user.email=school@example.com'];
  await run('git', ['init', '--quiet'], repository);
  await run('git', ['add', '--all'], repository);
  await run('git', [...author, 'commit', '--quiet', '--message', 'The client'], repository);
  await run('git', ['subtree', 'split', '--prefix', 'clients/typescript', '--branch', 'typescript-client'], repository);

  writeFileSync(join(project, 'package.json'), '{"name":"school","private":true}');
  await run('npm', ['install', `git+file://${repository}#typescript-client`], project);
  expect(readdirSync(join(project, 'node_modules/@institution/client/dist'))).toEqual(expect.arrayContaining(['index.js', 'index.mjs', 'index.d.ts', 'index.d.mts']));
});
