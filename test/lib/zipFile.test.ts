import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { createZipFile } from '../../lib/zipFile';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function* chunks(count: number): AsyncGenerator<Uint8Array, void> {
  for (let nth = 0; nth < count; nth += 1) yield await Promise.resolve(Buffer.alloc(100_000, nth));
}

it('an archive has its entries with their bytes, under names of any language, and an empty one', async () => {
  const path = join(folder, 'a.zip');
  const zip = await createZipFile(path);
  await zip.add('student.json', [Buffer.from('{}')]);
  await zip.add('files/Aufsatz – Übung 1.pdf', chunks(12));
  await zip.add('empty', []);
  const { size, sha256 } = await zip.finish();
  const bytes = await readFile(path);
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
  const entries = unzipSync(bytes);
  expect(Object.entries(entries).map(([name, content]) => [name, content.length])).toEqual([['student.json', 2], ['files/Aufsatz – Übung 1.pdf', 1_200_000], ['empty', 0]]);
  expect(Buffer.from(entries['student.json'] ?? []).toString()).toBe('{}');
  expect(entries['files/Aufsatz – Übung 1.pdf']?.at(-1)).toBe(11);
});

it('an archive is for its owner alone to read', async () => {
  const path = join(folder, 'c.zip');
  await (await createZipFile(path)).finish();
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
});

it('an archive without entries is one', async () => {
  const path = join(folder, 'b.zip');
  const zip = await createZipFile(path);
  await zip.finish();
  expect(unzipSync(await readFile(path))).toEqual({});
});
