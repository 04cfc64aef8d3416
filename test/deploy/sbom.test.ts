import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSbom, type Lockfile } from '../../local/release/sbom';

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const lockfile: Lockfile = JSON.parse(read('package-lock.json'));
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read('package.json'));
const sbom = makeSbom(lockfile, read('Dockerfile'));
const listed = new Map(sbom.components.map((component) => [component['bom-ref'], component]));

it('the bill of materials lists every production package of package-lock.json that Linux takes, with version, license and hash', () => {
  const packages = Object.entries(lockfile.packages).filter(([path, { dev, devOptional, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
    path !== '' && dev !== true && devOptional !== true && os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64')) && libc.includes('glibc'));
  expect(packages.length).toBeGreaterThan(200);
  for (const [path, { version = '', license }] of packages) {
    const name = path.replace(/^.*node_modules\//, '');
    const found = listed.get(`${name}@${version}`);
    expect([path, found?.version, found?.group === undefined ? found?.name : `${found.group}/${found.name}`]).toEqual([path, version, name]);
    expect([path, JSON.stringify(found?.licenses)]).toEqual([path, expect.stringContaining(license ?? 'Unlicense')]);
    expect([path, found?.hashes?.[0]?.content]).toEqual([path, expect.stringMatching(/^[0-9a-f]{128}$/)]);
  }
  expect(sbom.components).toHaveLength(new Set(packages.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version ?? ''}`)).size + 2);
});

it('the bill of materials has the direct dependencies of package.json under the product, and names nothing that it does not list', () => {
  const [product] = sbom.dependencies;
  for (const [name, version] of Object.entries(dependencies)) expect(product?.dependsOn).toContain(`${name}@${version}`);
  const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => ref !== sbom.metadata.component['bom-ref']);
  expect(named.filter((ref) => !listed.has(ref))).toEqual([]);
  // Everything is there because something needs it.
  const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect([...listed.keys()].filter((ref) => !needed.has(ref))).toEqual([]);
});

it('the bill of materials lists the Node of the image, and the image that brings it', () => {
  const [, tag = ''] = /^FROM node:(\S+)$/m.exec(read('Dockerfile')) ?? [];
  const [version = ''] = tag.split('-');
  expect(sbom.components.filter(({ type }) => type !== 'library')).toMatchObject([
    { type: 'platform', name: 'nodejs', version },
    { type: 'container', name: 'node', version: tag },
  ]);
});

it('a package without a license stops the release', () => {
  const packages = { ...lockfile.packages, 'node_modules/nameless': { version: '1.0.0' } };
  expect(() => makeSbom({ ...lockfile, packages }, read('Dockerfile'))).toThrow('nameless@1.0.0 names no license');
});
