import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../domain/ids';
import type { FileStore, SpooledContent } from '../../../domain/files/fileStore';

/** A folder for spooled files of one test file. */
export interface Spool {
  folder: string;
  /** Bytes as an upload leaves them behind. */
  write(bytes: Buffer): SpooledContent;
  /** For `afterAll`. */
  remove(): void;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export function openSpool(within = tmpdir()): Spool {
  const folder = mkdtempSync(join(within, 'institution-spool-'));
  return {
    folder,
    write: (bytes) => {
      const path = join(folder, randomBytes(8).toString('hex'));
      writeFileSync(path, bytes);
      return { path, size: bytes.length, sha256: sha256(bytes), contentType: 'application/zip' };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Everything that a store has under this id. */
export async function bytesOf(store: FileStore, id: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.open(id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What holds of every driver. */
export function describeStore(parts: () => { store: FileStore; spool: Spool }): void {
  it.each([1, 70_000, 5 * 1024 * 1024])('what was put in is there, byte for byte: %i bytes', async (size) => {
    const { store, spool } = parts();
    const [id, bytes] = [newId('file'), randomBytes(size)];
    await store.put(id, spool.write(bytes));
    expect((await bytesOf(store, id)).equals(bytes)).toBe(true);
  });

  it('what is put in again replaces what was there', async () => {
    const { store, spool } = parts();
    const id = newId('file');
    await store.put(id, spool.write(Buffer.from('first')));
    await store.put(id, spool.write(Buffer.from('second')));
    expect(String(await bytesOf(store, id))).toBe('second');
  });

  it('what was removed is gone, others stay, and removing it once more is done already', async () => {
    const { store, spool } = parts();
    const [gone, stays] = [newId('file'), newId('file')];
    for (const id of [gone, stays]) await store.put(id, spool.write(Buffer.from(id)));
    await store.delete(gone);
    await store.delete(gone);
    await store.delete(newId('file'));
    await expect(store.open(gone)).rejects.toThrow();
    expect(String(await bytesOf(store, stays))).toBe(stays);
  });

  it('what was never put in cannot be opened', async () => {
    await expect(parts().store.open(newId('file'))).rejects.toThrow();
  });

  it('a temporary file that is gone is put nowhere', async () => {
    const { store, spool } = parts();
    const [id, spooled] = [newId('file'), spool.write(Buffer.from('here'))];
    rmSync(spooled.path);
    await expect(store.put(id, spooled)).rejects.toThrow('ENOENT');
    await expect(store.open(id)).rejects.toThrow();
  });

  it('a signed URL is good for an hour', async () => {
    const now = new Date('2026-11-20T09:30:00.700Z');
    const { url, expiresAt } = await parts().store.signedUrl({ id: newId('file'), filename: 'a.zip', contentType: 'application/zip' }, now);
    expect(expiresAt.toISOString()).toBe('2026-11-20T10:30:00.000Z');
    expect(url).toMatch(/^http/);
  });
}
