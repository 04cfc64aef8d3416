import { randomUUID } from 'node:crypto';
import Joi from 'joi';

/** What package-lock.json says of an installed package. */
interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/** The part of package-lock.json that is read here. */
export interface Lockfile {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

export const lockfileSchema = Joi.object<Lockfile>({
  name: Joi.string().required(),
  version: Joi.string().required(),
  packages: Joi.object().pattern(Joi.string().allow(''), Joi.object().unknown()).required(),
}).unknown();

/** One entry of a CycloneDX document. */
interface Component {
  type: 'application' | 'library' | 'platform' | 'container';
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
  purl: string;
  cpe?: string;
  hashes?: { alg: string; content: string }[];
}

/** A software bill of materials in CycloneDX 1.6. */
export interface Sbom {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: 1;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Where the image runs: packages for other systems are not in it. */
const imagePlatform = { os: ['linux'], cpu: ['x64', 'arm64'], libc: ['glibc'] };

/** Licenses of packages whose package.json names none; each is in the package's file LICENSE. */
const licensesInFiles: Record<string, string> = { 'unionfs@4.6.0': 'Unlicense' };

const prefix = 'node_modules/';
const nameOf = (path: string): string => path.slice(path.lastIndexOf(prefix) + prefix.length);
const refOf = (path: string, { version = '' }: LockedPackage): string => `${nameOf(path)}@${version}`;
const fits = ({ os, cpu, libc }: LockedPackage): boolean =>
  ([[os, imagePlatform.os], [cpu, imagePlatform.cpu], [libc, imagePlatform.libc]] as const).every(([needed, there]) => needed === undefined || needed.some((one) => there.includes(one)));

/** The packages of the image, by their paths. */
function installed({ packages }: Lockfile): [path: string, found: LockedPackage][] {
  return Object.entries(packages).filter(([path, found]) => path !== '' && found.dev !== true && found.devOptional !== true && fits(found));
}

function licensesOf(ref: string, license: string | undefined): Pick<Component, 'licenses'> {
  const known = license ?? licensesInFiles[ref];
  if (known === undefined) throw new Error(`${ref} names no license: read its file LICENSE, and add it to local/release/sbom.ts`);
  return { licenses: [/ (?:AND|OR|WITH) /.test(known) ? { expression: known } : { license: { id: known } }] };
}

function componentOf(path: string, found: LockedPackage): Component {
  const ref = refOf(path, found);
  const name = nameOf(path);
  const [, group, bare = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const [, algorithm, digest = ''] = /^(sha512)-(\S+)/.exec(found.integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group === undefined ? {} : { group }),
    name: bare,
    version: found.version ?? '',
    ...licensesOf(ref, found.license),
    purl: `pkg:npm/${name.replace('@', '%40')}@${found.version ?? ''}`,
    ...(algorithm === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
  };
}

/** The path at which Node finds a package from another one. */
function resolve(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}${prefix}${name}`;
  if (packages[path] !== undefined) return path;
  if (from === '') return undefined;
  return resolve(packages, from.slice(0, Math.max(0, from.lastIndexOf(`/${prefix}`))), name);
}

/** Node and the image that brings it, as the last stage of the Dockerfile names it. */
function imageComponents(dockerfile: string): Component[] {
  const [, tag = '', version = ''] = /^FROM node:((\d+\.\d+\.\d+)\S*)$(?![\s\S]*^FROM )/m.exec(dockerfile) ?? [];
  if (version === '') throw new Error('The last stage of the Dockerfile names no version of Node');
  return [
    {
      type: 'platform', 'bom-ref': `nodejs@${version}`, name: 'nodejs', version, licenses: [{ license: { id: 'MIT' } }],
      purl: `pkg:generic/nodejs@${version}`, cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:lts:*:*:*`,
    },
    { type: 'container', 'bom-ref': `docker-node@${tag}`, name: 'node', version: tag, purl: `pkg:docker/node@${tag}` },
  ];
}

/**
 * Returns what the image contains: each package of production with its version, license and hash, Node, and the image below.
 * It reads the lockfile itself: `npm sbom --omit dev` of npm 11 leaves out packages that development dependencies need, too.
 */
export function makeSbom(lockfile: Lockfile, dockerfile: string): Sbom {
  const { name, version, packages } = lockfile;
  const paths = installed(lockfile);
  const there = new Set(paths.map(([path]) => path));
  const image = imageComponents(dockerfile);
  const refs = (from: string, found: LockedPackage): string[] => {
    const needed = Object.keys({ ...found.dependencies, ...found.optionalDependencies, ...found.peerDependencies });
    const resolved = needed.map((one) => resolve(packages, from, one)).filter((path): path is string => path !== undefined && there.has(path));
    return [...new Set(resolved.map((path) => refOf(path, packages[path] ?? {})))].sort();
  };
  const product: Component = { type: 'application', 'bom-ref': `${name}@${version}`, name, version, purl: `pkg:npm/${name}@${version}` };
  const byRef = new Map(paths.map(([path, found]) => [refOf(path, found), componentOf(path, found)]));
  const dependencies = new Map<string, Set<string>>();
  // A package that is there twice may find others from each of its folders.
  for (const [path, found] of paths) dependencies.set(refOf(path, found), new Set([...(dependencies.get(refOf(path, found)) ?? []), ...refs(path, found)]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: product },
    components: [...image, ...[...byRef.values()].sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))],
    dependencies: [
      { ref: product['bom-ref'], dependsOn: [...image.map((one) => one['bom-ref']), ...refs('', packages[''] ?? {})] },
      ...[...dependencies].sort(([one], [other]) => (one < other ? -1 : 1)).map(([ref, needed]) => ({ ref, dependsOn: [...needed] })),
    ],
  };
}
