import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { offboard } from '../support/offboarding';
import { seedEndpoint } from '../support/seed/endpoints';
import { minutesAgo } from '../support/time';

const { api, institution, page } = consoleFixture();

it('an institution has the endpoints that do not work before the others', async () => {
  const ids: string[] = [];
  for (const fields of [{ lastSuccessAt: minutesAgo(1) }, { status: 'paused', pausedAt: minutesAgo(1) }, { status: 'disabled' }, { consecutiveFailures: 3, lastFailureAt: minutesAgo(1) }] as const) {
    ids.push(await seedEndpoint(api, institution, 'https://hooks.north.example/in', fields));
  }
  const [healthy, paused, disabled, failing] = ids;
  const shown = rowIds(await page(`/institutions/${institution.id}`)).filter((id) => ids.includes(id));
  expect(shown).toEqual([failing, disabled, paused, healthy]);
});

it('an institution that leaves says until when it is read-only, and who asked for it; after that is cancelled it does not', async () => {
  const leaving = await api.institution();
  expect(visibleText(await page(`/institutions/${leaving.id}`))).not.toContain('It leaves');
  const { headers } = await offboard(api, leaving);
  const words = visibleText(await page(`/institutions/${leaving.id}`));
  expect(words).toMatch(new RegExp(`It leaves: it is read-only since now .+?, so every write with a key is refused, and is erased after in 30 d .+? unless an operator cancels that before\\..+ request ${headers.get('x-request-id') ?? ''}`));
  expect((await api.platform('POST', `/institutions/${leaving.id}/offboard/cancel`)).status).toBe(200);
  expect(visibleText(await page(`/institutions/${leaving.id}`))).not.toContain('It leaves');
});

it('an institution leads to its admin', async () => {
  expect(await page(`/institutions/${institution.id}`)).toContain(`Admin <a href="/console/search?q=${institution.adminId}"`);
});

it('a license whose end was set by a call says by which, and by whom', async () => {
  const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
  const license = String(data.license.id);
  expect(visibleText(await page(`/search?q=${license}`))).not.toContain('set last');
  const { headers } = await api.call('POST', `/licenses/${license}/extend`, { key: institution.apiKey, body: { days: 30 } });
  expect(visibleText(await page(`/search?q=${license}`))).toMatch(new RegExp(`Ends in .+ set last: now .+ request ${headers.get('x-request-id') ?? ''} API key “test” ${institution.keyId}`));
});
