import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformFileSync } from '@swc/core';
import { projectRoot } from '../../local/projectRoot';

const root = projectRoot();
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const { name, version, bin, scripts }: { name: string; version: string; bin: { institution: string }; scripts: { build: string } } = JSON.parse(read('package.json'));

it('a build leaves a program that npx may run', () => {
  expect(read(bin.institution.replace(/^dist\/(.+)\.js$/, '$1.ts'))).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(scripts.build).toContain(`chmod +x ${bin.institution}`);
});

it('the image has it as institution, on the path', () => {
  const image = read('Dockerfile');
  expect(image).toContain(`RUN ln -s /app/${bin.institution} /usr/local/bin/institution\n`);
  const removed = /rm -rf (.+?) \\/.exec(image)?.[1]?.split(' ') ?? [];
  expect(removed.filter((path) => ['dist/cli', 'dist/lib', 'dist/clients', 'dist/clients/typescript'].includes(path))).toEqual([]);
});

describe('npx', () => {
  let folder: string;
  let registry: Server;
  let asked: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'npx-'));
    asked = [];
    // Somebody has taken the name.
    registry = createServer((request, response) => {
      asked.push(request.url ?? '');
      const taken = { name: 'institution', version: '9.9.9', bin: { institution: 'taken.js' }, dist: { tarball: `http://${request.headers.host}/taken.tgz`, shasum: '0'.repeat(40) } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: 'institution', 'dist-tags': { latest: '9.9.9' }, versions: { '9.9.9': taken } }));
    });
    await new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    await new Promise((resolve) => {
      registry.close(resolve);
      registry.closeAllConnections();
    });
    rmSync(folder, { recursive: true, force: true });
  });

  /** A checkout with what a build writes of the command line and of what it imports. */
  function builtCheckout(): string {
    const checkout = join(folder, 'checkout');
    for (const room of ['cli', 'lib', 'clients/typescript/src']) {
      for (const file of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
        const built = join(checkout, 'dist', room, file.replace(/\.ts$/, '.js'));
        mkdirSync(dirname(built), { recursive: true });
        writeFileSync(built, transformFileSync(join(root, room, file)).code);
      }
    }
    chmodSync(join(checkout, bin.institution), 0o755);
    writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name, version, private: true, bin }));
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    return checkout;
  }

  function npx(cwd: string): Promise<{ stdout: string }> {
    const { port } = registry.address() as AddressInfo;
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: `http://127.0.0.1:${port}`,
      npm_config_update_notifier: 'false',
    };
    return promisify(execFile)('npx', ['--no-install', 'institution', '--version'], { cwd, env });
  }

  it('runs it in a checkout, and asks no registry for it', async () => {
    expect((await npx(builtCheckout())).stdout).toBe(`${version}\n`);
    expect(asked.filter((path) => path.startsWith('/institution'))).toEqual([]);
  });

  it('refuses outside of one, though the registry has a package of that name', async () => {
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    await expect(npx(outside)).rejects.toMatchObject({ stderr: expect.stringContaining('canceled due to missing packages') });
    expect(asked).toContain('/institution');
    expect(asked).not.toContain('/taken.tgz');
  });

  it.each(['README.md', 'CHANGELOG.md', 'docs/operations/cli.md', 'docs/decisions/0051-command-line.md', 'cli/program.ts'])('is never named without --no-install in %s', (file) => {
    expect(read(file)).not.toMatch(/npx institution/);
  });
});
