import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../../local/projectRoot';
import { codeBlock } from '../documents';
import { createPostgresCluster, type PostgresCluster } from './postgresCluster';

const page = 'docs/operations/backup.md';

/** A Postgres and a file store with the folder of their backups, and the scripts of the page on backups. */
export interface BackedUpStores {
  cluster: PostgresCluster;
  /** The folder of the file store. */
  files: string;
  /** The folder of backups, with `base`, `wal` and `files`. */
  backups: string;
  /** Settings of Postgres that deploy/backup/docker-compose.yml adds. */
  settings: Record<string, string>;
  /** Runs a script of the page in a shell, with these replacements; returns what it printed. */
  run(name: string, replaced?: readonly (readonly [what: string, by: string])[]): Promise<string>;
  close(): Promise<void>;
}

/** What is done in place of `docker compose` when a script stops, starts or runs a service: `stop api worker`, `up -d`, `run migrate`. */
export type ComposeStandIn = (command: string) => Promise<void>;

/** The arguments `-c name=value` of Postgres in a compose file. */
export function postgresSettings(composeFile: string): Record<string, string> {
  const parsed = execFileSync(process.execPath, [join(projectRoot(), 'test/support/readYaml.mjs')], { input: readFileSync(join(projectRoot(), composeFile)), encoding: 'utf8' });
  const { services }: { services: { postgres: { command: string[] } } } = JSON.parse(parsed);
  return Object.fromEntries(services.postgres.command.filter((argument) => argument.includes('=')).map((argument) => {
    const [name = '', ...value] = argument.split('=');
    return [name, value.join('=')];
  }));
}

/** Takes the commands that the scripts give to Docker, at a port of its own. */
async function listen(compose: ComposeStandIn): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void text(request).then(compose).then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => { resolve(); })),
  };
}

/** Makes empty stores in a new folder; Postgres does not run yet. */
export async function openBackedUpStores(compose: ComposeStandIn): Promise<BackedUpStores> {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  chmodSync(folder, 0o755);
  const [scripts, files, bin] = [join(folder, 'scripts'), join(folder, 'files'), join(folder, 'bin')];
  const postgresFolder = join(folder, 'postgres');
  const backups = join(postgresFolder, 'backups');
  for (const path of [postgresFolder, files, bin]) mkdirSync(path);
  cpSync(join(projectRoot(), 'deploy/backup'), scripts, { recursive: true });
  copyFileSync(join(projectRoot(), 'test/support/backup/docker.sh'), join(bin, 'docker'));
  chmodSync(join(bin, 'docker'), 0o755);
  const cluster = await createPostgresCluster(postgresFolder, backups);
  for (const name of ['', 'base', 'wal', 'files']) cluster.makeFolder(join(backups, name));
  const { archive_command: command = '', ...others } = postgresSettings('deploy/backup/docker-compose.yml');
  const { url, close } = await listen(compose);
  return {
    cluster,
    files,
    backups,
    settings: { ...others, archive_command: command.replace('/deploy/backup', scripts), fsync: 'off' },
    run: async (name, replaced = []) => {
      const script = replaced.reduce((changed, [what, by]) => {
        if (!changed.includes(what)) throw new Error(`${name} does not have ${what}`);
        return changed.replace(what, by);
      }, codeBlock(page, name));
      const shell = spawn('bash', ['-ec', script], {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: projectRoot(),
        env: {
          ...cluster.environment,
          PATH: `${bin}:${cluster.environment.PATH ?? ''}`,
          CONTROL: url,
          SCRIPTS: scripts,
          FILES: files,
          BACKUPS: backups,
          AS_POSTGRES: cluster.asPostgres.join(' '),
        },
      });
      const ended = new Promise<number | null>((resolve, reject) => shell.once('close', resolve).once('error', reject));
      const [output, errors, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${errors}${output}\n${cluster.log().split('\n').slice(-12).join('\n')}`);
      return output;
    },
    close: async () => {
      await close();
      await cluster.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
