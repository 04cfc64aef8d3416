import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCached, cacheFolder } from '../../local/cache';
import { pause } from '../../local/waitUntil';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'cache-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a failed making leaves nothing, and the next one succeeds', async () => {
  const cut = async (target: string): Promise<void> => {
    mkdirSync(target);
    writeFileSync(join(target, 'half'), '');
    throw new Error('cut');
  };
  await expect(ensureCached(folder, { name: 'server-1', make: cut })).rejects.toThrow('cut');
  expect(readdirSync(folder)).toEqual([]);
  const path = await ensureCached(folder, { name: 'server-1', make: async (target) => writeFileSync(target, 'whole') });
  expect(readFileSync(path, 'utf8')).toBe('whole');
  expect(readdirSync(folder)).toEqual(['server-1']);
});

test('the thing is not in its place before it is whole', async () => {
  let seen: string[] = [];
  await ensureCached(folder, {
    name: 'server-1',
    make: async (target) => {
      writeFileSync(target, 'ha');
      seen = readdirSync(folder);
      writeFileSync(target, 'half and the rest');
    },
  });
  expect(seen).not.toContain('server-1');
});

test('two that want the same at once make it once', async () => {
  let made = 0;
  let waits = 0;
  const recipe = {
    name: 'server-1',
    make: async (target: string) => { made += 1; await pause(50); writeFileSync(target, 'whole'); },
    onWait: () => { waits += 1; },
  };
  const paths = await Promise.all([ensureCached(folder, recipe), ensureCached(folder, recipe)]);
  expect(new Set(paths).size).toBe(1);
  expect({ made, waits }).toEqual({ made: 1, waits: 1 });
});

test('the lock and the draft of a maker that was killed are no obstacle', async () => {
  const noProcess = 2 ** 30;
  writeFileSync(join(folder, 'server-1.lock'), JSON.stringify({ pid: noProcess, startedAt: 'long ago' }));
  writeFileSync(join(folder, `server-1.draft-${noProcess}-1`), 'half');
  await ensureCached(folder, { name: 'server-1', make: async (target) => writeFileSync(target, 'whole') });
  expect(readdirSync(folder)).toEqual(['server-1']);
});

test('the cache is in the folder of XDG_CACHE_HOME', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/somewhere' })).toBe('/somewhere/institution-api');
});
