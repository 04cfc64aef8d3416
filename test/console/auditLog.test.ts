import { consoleFixture, escaped, hostile, rowIds, visibleText } from '../support/consoleFixture';
import { daysBefore } from '../support/time';
import { seedAuditLog } from '../support/seed/auditLog';

const { api, institution, call, page, sql } = consoleFixture();

const log = (query: Record<string, string> = {}) => page(`/institutions/${institution.id}/audit-log?${new URLSearchParams(query).toString()}`);

/** The ids of the rows, also of seeded ones. */
const shownRows = (text: string): string[] => [...text.matchAll(/id="row-([\w-]+)"/g)].map(([, id]) => id ?? '');

it('is one step from the institution, and says who did what, of what, with which fields, by which request', async () => {
  const { data, headers } = await call('POST', '/students', { full_name: 'Grace Hopper', personal_email: 'grace@mail.example' });
  expect(await page(`/institutions/${institution.id}`)).toContain(`href="/console/institutions/${institution.id}/audit-log"`);
  const words = visibleText(await log());
  expect(words).toContain(`UTC ${headers.get('x-request-id') ?? ''} API key ${institution.keyId} createStudent POST /v1/students Fields: full_name, personal_email created ${data.id}`);
  expect(words).not.toMatch(/Grace|grace@/);
});

it('is searched by request, by who and by operation, and says so where nothing matches', async () => {
  const { headers } = await call('POST', '/groups', { name: 'a' });
  const { data } = await call('POST', '/groups', { name: 'b' });
  await api.platform('POST', `/institutions/${institution.id}/suspend`);
  expect(visibleText(await log({ request: ` ${headers.get('x-request-id') ?? ''} ` }))).not.toContain(data.id);
  expect(rowIds(await log({ request: headers.get('x-request-id') ?? '' }))).toHaveLength(1);
  expect(rowIds(await log({ actor: 'platform' }))).toHaveLength(1);
  expect(rowIds(await log({ operation: 'createGroup' }))).toHaveLength(2);
  const none = await log({ request: hostile });
  expect(none).toContain('No call matches.');
  expect(none).toContain(escaped);
  expect(none).not.toContain(hostile);
});

it('is searched by time, by the clocks of the institution', async () => {
  await sql("UPDATE institutions SET time_zone = 'America/New_York' WHERE id = $1", [institution.id]);
  await seedAuditLog(api, institution, { at: new Date('2026-11-10T15:00:00Z'), count: 1 });
  await seedAuditLog(api, institution, { at: new Date('2026-11-11T15:00:00Z'), count: 1 });
  expect(shownRows(await log())).toHaveLength(2);
  expect(shownRows(await log({ since: '2026-11-10T09:59', until: '2026-11-10T10:01' }))).toHaveLength(1);
  expect(shownRows(await log({ since: '2026-11-10T10:01' }))).toHaveLength(1);
  expect(shownRows(await log({ until: '2026-11-10T15:00:01Z' }))).toHaveLength(1);
});

it('comes 50 a page, each call once, and keeps its filters', async () => {
  // At the same time as other seeded rows: their order is that of their ids.
  for (let times = 0; times < 3; times += 1) await seedAuditLog(api, institution, { at: daysBefore(new Date(86_400_000 * Math.floor(Date.now() / 86_400_000)), 1), count: 40 });
  const seen: string[] = [];
  let path: string | undefined = `/institutions/${institution.id}/audit-log?actor=key_1`;
  while (path !== undefined) {
    const text = await page(path);
    seen.push(...shownRows(text));
    path = /href="\/console([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    if (path !== undefined) expect(path).toContain('actor=key_1');
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
});
