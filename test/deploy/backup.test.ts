import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { postgresSettings } from '../support/backup/backedUpStores';
import { readDocument } from '../support/documents';

/** What these tests look at of a service. */
interface Service {
  image: string;
  command?: string[];
  entrypoint?: string[];
  profiles?: string[];
  volumes?: (string | { source: string; target: string; read_only?: boolean })[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
}

const root = join(__dirname, '../..');
const servicesOf = (file: string): Record<string, Service> =>
  JSON.parse(execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: readFileSync(join(root, file)), encoding: 'utf8' })).services;
const [base, added] = [servicesOf('docker-compose.yml'), servicesOf('deploy/backup/docker-compose.yml')];
const page = readDocument('docs/operations/backup.md');

let folder: string;
let backups: string;
let files: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-scripts-'));
  [backups, files] = [join(folder, 'backups'), join(folder, 'files')];
  for (const path of [files, join(backups, 'wal'), join(backups, 'base'), join(backups, 'files')]) mkdirSync(path, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script of deploy/backup on the folders of the test. */
function script(name: string, ...args: string[]): { status: number | null; errors: string } {
  const { status, stderr } = spawnSync('sh', [join(root, 'deploy/backup', name), ...args], {
    encoding: 'utf8', env: { PATH: process.env.PATH, BACKUPS: backups, FILES: files, PGDATA: join(folder, 'pgdata') },
  });
  return { status, errors: stderr };
}

describe('deploy/backup/docker-compose.yml', () => {
  it('keeps every setting that docker-compose.yml gives Postgres, and adds those of the archive', () => {
    const before = Object.fromEntries((base.postgres?.command ?? []).filter((argument) => argument.includes('=')).map((argument) => argument.split('=')));
    expect(postgresSettings('deploy/backup/docker-compose.yml')).toEqual({
      ...before, archive_mode: 'on', archive_timeout: '60', archive_command: 'sh /deploy/backup/archive-wal.sh "%p" "%f"',
    });
    expect(page).toContain('in the last minute (`archive_timeout`)');
  });

  it('runs scripts that are there, mounted read-only, with images of docker-compose.yml', () => {
    for (const name of ['copy-files', 'restore-files']) {
      expect(existsSync(join(root, (added[name]?.entrypoint?.[1] ?? '').slice(1)))).toBe(true);
      expect([added[name]?.image, added[name]?.profiles]).toEqual([base.api?.image, ['backup']]);
    }
    for (const name of ['postgres', 'copy-files', 'restore-files']) {
      expect(added[name]?.volumes).toContainEqual(expect.objectContaining({ source: './deploy/backup', target: '/deploy/backup', read_only: true }));
    }
    expect(added['backup-folders']?.image).toBe(base.postgres?.image);
    expect(added.postgres?.depends_on).toEqual({ 'backup-folders': { condition: 'service_completed_successfully' } });
  });

  it('copies from the file store of api and worker, which it cannot change', () => {
    expect(base.api?.volumes).toEqual(['files:/data']);
    expect(base.api?.environment?.FILE_STORE_URL).toContain('file:///data/files');
    expect([added['copy-files']?.volumes?.[0], added['restore-files']?.volumes?.[0]]).toEqual(['files:/data:ro', 'files:/data']);
  });

  it('makes its folders for the users who write there', () => {
    const [, , command = ''] = added['backup-folders']?.entrypoint ?? [];
    expect(command).toContain('-o postgres -g postgres /backups/base /backups/wal');
    // Node's image gives this number to its user `node`, who runs in ours.
    expect(command).toContain('-o 1000 -g 1000 /backups/files');
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('\nUSER node\n');
  });
});

describe('archive-wal.sh', () => {
  it('stores a segment compressed, again if it is the same, and never replaces it with another', () => {
    const segment = join(folder, 'segment');
    writeFileSync(segment, 'what was written');
    expect([script('archive-wal.sh', segment, '0001').status, script('archive-wal.sh', segment, '0001').status]).toEqual([0, 0]);
    writeFileSync(segment, 'something else');
    expect(script('archive-wal.sh', segment, '0001').status).not.toBe(0);
    expect(readdirSync(join(backups, 'wal'))).toEqual(['0001.gz']);
    expect(gunzipSync(readFileSync(join(backups, 'wal/0001.gz'))).toString()).toBe('what was written');
  });

  it('fails where nothing can be stored, so that Postgres keeps its segment', () => {
    const segment = join(folder, 'segment');
    writeFileSync(segment, 'what was written');
    rmSync(join(backups, 'wal'), { recursive: true });
    expect(script('archive-wal.sh', segment, '0001').status).not.toBe(0);
  });
});

describe('copy-files.sh', () => {
  const store = (name: string, content: string): void => {
    mkdirSync(join(files, name.slice(-2)), { recursive: true });
    writeFileSync(join(files, name.slice(-2), name), content);
  };

  it('copies what is new and no part of a file, keeps what the store has removed for 14 days, and puts all of it back', () => {
    store('file_aa', 'first');
    store('file_bb', 'second');
    store('file_cc.part', 'half');
    expect(script('copy-files.sh').status).toBe(0);
    rmSync(join(files, 'aa/file_aa'));
    store('file_dd', 'third');
    expect(script('copy-files.sh').status).toBe(0);
    const day = new Date().toISOString().slice(0, 10);
    expect(readdirSync(join(backups, 'files/current')).sort()).toEqual(['aa', 'bb', 'dd']);
    expect(existsSync(join(backups, 'files/removed', day, 'aa/file_aa'))).toBe(true);

    rmSync(files, { recursive: true });
    expect(script('restore-files.sh').status).toBe(0);
    expect(['aa/file_aa', 'bb/file_bb', 'dd/file_dd'].map((path) => readFileSync(join(files, path), 'utf8'))).toEqual(['first', 'second', 'third']);

    expect(script('copy-files.sh').status).toBe(0);
    const old = new Date(Date.now() - 16 * 86_400_000);
    const removed = join(backups, 'files/removed', day);
    mkdirSync(removed, { recursive: true });
    utimesSync(removed, old, old);
    expect(script('copy-files.sh').status).toBe(0);
    expect(existsSync(removed)).toBe(false);
    expect(page).toContain('keeps removed files for 14 days');
  });

  it('completes a copy that was interrupted', () => {
    store('file_aa', 'whole');
    mkdirSync(join(backups, 'files/current/aa'), { recursive: true });
    writeFileSync(join(backups, 'files/current/aa/file_aa.part'), 'wh');
    expect(script('copy-files.sh').status).toBe(0);
    expect(readFileSync(join(backups, 'files/current/aa/file_aa'), 'utf8')).toBe('whole');
  });

  it('fails when the store is not there, and keeps its copy', () => {
    store('file_aa', 'first');
    expect(script('copy-files.sh').status).toBe(0);
    rmSync(files, { recursive: true });
    expect(script('copy-files.sh').status).not.toBe(0);
    expect(existsSync(join(backups, 'files/current/aa/file_aa'))).toBe(true);
  });
});

describe('restore-database.sh', () => {
  it('changes nothing without the base backup, with a time that is none, or while Postgres runs', () => {
    const data = join(folder, 'pgdata');
    mkdirSync(data);
    expect(script('restore-database.sh', '2026-11-20T02-00-00Z')).toEqual({ status: 1, errors: expect.stringContaining('There is no base backup 2026-11-20T02-00-00Z') });
    mkdirSync(join(backups, 'base/2026-11-20T02-00-00Z'));
    writeFileSync(join(backups, 'base/2026-11-20T02-00-00Z/base.tar.gz'), '');
    expect(script('restore-database.sh', '2026-11-20T02-00-00Z', 'yesterdays').status).toBe(1);
    writeFileSync(join(data, 'postmaster.pid'), '');
    expect(script('restore-database.sh', '2026-11-20T02-00-00Z')).toEqual({ status: 1, errors: expect.stringContaining('Stop Postgres first') });
    expect(readdirSync(folder).sort()).toEqual(['backups', 'files', 'pgdata']);
  });
});
