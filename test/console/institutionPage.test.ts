import { consoleFixture, rowIds } from '../support/consoleFixture';
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
