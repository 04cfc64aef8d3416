import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const { engines, allowScripts }: { engines: { node: string }; allowScripts: Record<string, boolean> } = JSON.parse(read('package.json'));
const { packages }: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(read('package-lock.json'));

it('both stages of the image are of one exact version of Node 24, the one that npm run test:node24 tests and package.json takes', () => {
  const stages = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const [, tested = ''] = /^const version = '(24\.\d+\.\d+)';$/m.exec(read('test/command/node24.ts')) ?? [];
  expect(stages).toEqual([`node:${tested}-bookworm-slim`, `node:${tested}-bookworm-slim`]);
  expect(engines.node.split(' || ')).toEqual(['^20.19.0', '^24.0.0']);
});

it('every package with an install script is allowed or refused by name', () => {
  const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(withScript.length).toBeGreaterThan(3);
  expect([...new Set(withScript)].sort()).toEqual(Object.keys(allowScripts).sort());
});
