import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { asvsOverview, asvsRows, openUntil } from '../support/asvsPages';
import { codeRows, readDocument, section } from '../support/documents';
import { testsNamedIn } from '../support/namedTests';

/** Every requirement of OWASP ASVS 5.0.0 of the levels 1 and 2, with its level. */
const requirements = Object.entries(JSON.parse(readFileSync(join(__dirname, 'asvs5.json'), 'utf8')) as Record<string, number>);

const chapterOf = (requirement: string): number => Number(/^V(\d+)\./.exec(requirement)?.[1]);

describe('the pages of OWASP ASVS', () => {
  it('have every requirement of the levels 1 and 2 once, in its chapter, with its level', () => {
    expect(requirements.map(([, level]) => level).filter((level) => level === 1).length).toBe(70);
    expect(asvsRows.map(({ requirement, level }) => `${requirement} ${level}`)).toEqual(requirements.map(([requirement, level]) => `${requirement} L${level}`));
    expect(asvsRows.filter(({ page, requirement }) => !page.includes(`/v${String(chapterOf(requirement)).padStart(2, '0')}-`))).toEqual([]);
  });

  it('say of each whether it is met, not applicable, or open and until when', () => {
    const [, released = ''] = /^## .+ – (\d{4}-\d{2}-\d{2})$/m.exec(readDocument('CHANGELOG.md')) ?? [];
    expect(released).not.toBe('');
    const isKnown = (state: string): boolean => ['met', 'not applicable'].includes(state) || (openUntil(state) ?? '') > released;
    expect(asvsRows.filter(({ state }) => !isKnown(state))).toEqual([]);
  });

  it('show of what is met a test, a file or a page', () => {
    const isShown = (how: string): boolean => /`[\w.]+[/:.][^`]*`|`Dockerfile`|\]\(/.test(how);
    expect(asvsRows.filter(({ state, how }) => state === 'met' && !isShown(how)).map(({ requirement }) => requirement)).toEqual([]);
  });

  const tests = asvsRows.flatMap(({ requirement, how }) => [...how.matchAll(/`(test\/[\w/.-]+): ([^`]+)`/g)].map(([, file = '', name = '']) => [requirement, file, name] as const));

  it('name tests that exist', () => {
    expect(tests.length).toBeGreaterThan(150);
    expect(tests.filter(([, file, name]) => !testsNamedIn(file).includes(name))).toEqual([]);
  });

  it('name files that exist', () => {
    const files = asvsRows.flatMap(({ requirement, how }) => [...how.matchAll(/`((?:[a-zA-Z]+\/)+[\w.-]+|Dockerfile|\.dockerignore|[\w.-]+\.(?:json|mjs))`/g)].map(([, path = '']) => [requirement, path] as const));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(([, path]) => !existsSync(join(projectRoot(), path)))).toEqual([]);
  });
});

describe('the overview of docs/security.md', () => {
  it('counts the requirements of each chapter by their state', () => {
    expect(readDocument('docs/security.md').split('\n').filter((line) => line.startsWith('| [V'))).toEqual(asvsOverview);
  });

  it('lists everything that is open, with its date', () => {
    const open = asvsRows.flatMap(({ requirement, state }) => {
      const date = openUntil(state);
      return date === undefined ? [] : [`${requirement} ${date}`];
    });
    const listed = codeRows(section('docs/security.md', '### What is open')).map(([requirement = '', date = '']) => `${requirement} ${date}`);
    expect(listed.sort()).toEqual(open.sort());
  });
});

/** The folders of what runs in production. */
const production = ['activities', 'api', 'config', 'console', 'db', 'domain', 'lib', 'outbound', 'worker', 'workflows'];

const sources: readonly { path: string; source: string }[] = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...production], { cwd: projectRoot(), encoding: 'utf8' })
  .split('\n')
  .filter((path) => path.endsWith('.ts') && existsSync(join(projectRoot(), path)))
  .map((path) => ({ path, source: readFileSync(join(projectRoot(), path), 'utf8') }));

it('API and worker start no programs, and run no text as code', () => {
  const forbidden = /node:child_process|node:vm\b|\beval\(|\bnew Function\(/;
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter(({ source }) => forbidden.test(source)).map(({ path }) => path)).toEqual([]);
});

it('the inventory of cryptography has every file that uses node:crypto, and no algorithm is another than those listed', () => {
  const users = sources.filter(({ source }) => /from 'node:crypto'|import Keygrip from|import\('openid-client'\)/.test(source) ).map(({ path }) => path);
  const inventory = section('docs/security/controls.md', '## Cryptography');
  const listed = [...inventory.matchAll(/`((?:\w+\/)+[\w.]+\.ts)`/g)].map(([, path = '']) => path);
  expect([...new Set(listed)].sort()).toEqual([...new Set(users)].sort());
  const algorithms = sources.flatMap(({ source }) => [...source.matchAll(/(?:createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync|generateKeyPairSync)\(\s*'([\w-]+)'/g)].map(([, name = '']) => name));
  expect([...new Set(algorithms)].sort()).toEqual(['aes-256-gcm', 'ed25519', 'sha256']);
});
