import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../domain/ids';
import { createSecretBox } from '../../../domain/secrets/secretBox';
import { createFolderStore } from '../../../outbound/files/folderStore';
import { newMasterKey } from '../../support/serviceKeys';
import { bytesOf, describeStore, openSpool } from './storeRules';

const folder = mkdtempSync(join(tmpdir(), 'institution-files-'));
const secrets = createSecretBox([newMasterKey('k1')]);
const store = createFolderStore({ folder, publicBaseUrl: 'https://api.school.example/v1', secrets });
const spool = openSpool();

afterAll(() => {
  spool.remove();
  rmSync(folder, { recursive: true, force: true });
});

describeStore(() => ({ store, spool }));

it('files are in folders of two characters, which differ, and the temporary file has become the file', async () => {
  const ids = Array.from({ length: 40 }, () => newId('file'));
  for (const id of ids) {
    const spooled = spool.write(Buffer.from(id));
    await store.put(id, spooled);
    expect(existsSync(spooled.path)).toBe(false);
    expect(existsSync(join(folder, id.slice(-2), id))).toBe(true);
  }
  expect(new Set(ids.map((id) => id.slice(-2))).size).toBeGreaterThan(10);
  expect(readdirSync(folder).every((name) => name.length === 2)).toBe(true);
});

const shared = '/dev/shm';
it('a temporary file of another file system is copied, and no part of it is left', async () => {
  const elsewhere = openSpool(shared);
  const id = newId('file');
  await store.put(id, elsewhere.write(Buffer.alloc(200_000, 7)));
  elsewhere.remove();
  expect((await bytesOf(store, id)).equals(Buffer.alloc(200_000, 7))).toBe(true);
  expect(readdirSync(join(folder, id.slice(-2))).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it.each(['../../etc/passwd', 'file_a/b', '', 'FILE_AB'])('what is no id of a file names nothing: "%s"', async (id) => {
  await expect(store.open(id)).rejects.toThrow('Not the id of a file');
  await expect(store.delete(id)).rejects.toThrow('Not the id of a file');
});

it('its URLs lead to the API, with expiry and signature', async () => {
  const now = new Date('2026-11-20T09:30:00.700Z');
  const { url } = await store.signedUrl({ id: 'file_01', filename: 'a.zip', contentType: 'application/zip' }, now);
  expect(url).toMatch(/^https:\/\/api\.school\.example\/v1\/files\/file_01\?expires=1795170600&signature=[0-9a-f]{64}&reader=[0-9a-f]{48}$/);
});
