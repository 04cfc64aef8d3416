import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDemo } from '../../local/demoInstitution';
import { startTestApi, type TestApi } from '../support/api';

let api: TestApi;
let localDir: string;

beforeAll(async () => {
  api = await startTestApi();
  localDir = mkdtempSync(join(tmpdir(), 'demo-'));
});

afterAll(async () => {
  rmSync(localDir, { recursive: true });
  await api.stop();
});

it('the demo institution has an allowance, so that the credits of the guides go through, and is the same at the next start', async () => {
  const place = { localDir, apiUrl: api.baseUrl, platformUrl: api.platformUrl, platformToken: api.settings.platformToken };
  const demo = await ensureDemo(place);
  const { data } = await api.call('GET', '/merits/allowance', { key: demo.api_key });
  expect(data).toEqual({ allowance_cents: 500_000, granted_cents: 500_000, credited_cents: 0 });
  expect(await ensureDemo(place)).toEqual(demo);
});
