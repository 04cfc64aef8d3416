import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeStaleOutput } from '../../local/staleOutput';

const folder = mkdtempSync(join(tmpdir(), 'stale-output-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
}

it('removes what was compiled from a source that is gone, and nothing else', () => {
  write('src/a/kept.ts', 'dist/a/kept.js', 'dist/a/kept.js.map', 'dist/a/data.json', 'dist/a/gone.js', 'dist/a/gone.js.map', 'dist/renamed/b.js');
  expect(removeStaleOutput(join(folder, 'dist'), join(folder, 'src')).sort()).toEqual(['a/gone.js', 'a/gone.js.map', 'renamed/b.js'].map((path) => join(folder, 'dist', path)));
  expect(['dist/a/kept.js', 'dist/a/kept.js.map', 'dist/a/data.json', 'dist/a/gone.js', 'src/a/kept.ts'].map((path) => existsSync(join(folder, path)))).toEqual([true, true, true, false, true]);
});
