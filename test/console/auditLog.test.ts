import { signInToConsole } from '../support/console';
import { consoleFixture, escaped, hostile, rowIds, visibleText } from '../support/consoleFixture';
import { daysBefore } from '../support/time';
import { seedAuditLog } from '../support/seed/auditLog';
import { addStaffMember } from '../support/staff';

const { api, institution, call, page, sql, endpoint } = consoleFixture();

const log = (query: Record<string, string> = {}) => page(`/institutions/${institution.id}/audit-log?${new URLSearchParams(query).toString()}`);

/** The ids of the rows, also of seeded ones. */
const shownRows = (text: string): string[] => [...text.matchAll(/id="row-([\w-]+)"/g)].map(([, id]) => id ?? '');

it('says of an actor, target or request that is no id why nothing matches', async () => {
  expect(visibleText(await log({ actor: 'SIS sync' }))).toContain('No call matches. “SIS sync” is no actor id: only whole ids are searched');
  expect(visibleText(await log({ target: 'Gradebook' }))).toContain('No call matches. “Gradebook” is no target id');
  expect(visibleText(await log({ request: 'req_nope' }))).toContain('No call matches. “req_nope” is no request id: only whole ids are searched, such as the req_… of the header X-Request-Id. The id has 4 of 26 characters after its prefix: it was cut off.');
  for (const query of [{ actor: 'platform' }, { target: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr' }]) expect(visibleText(await log(query))).not.toContain('whole ids');
});

it('is one step from the institution, and says who did what, of what, with which fields, by which request', async () => {
  const { data, headers } = await call('POST', '/students', { full_name: 'Grace Hopper', personal_email: 'grace@mail.example' });
  expect(await page(`/institutions/${institution.id}`)).toContain(`href="/console/institutions/${institution.id}/audit-log"`);
  const [{ name: keyName } = { name: '' }] = await sql<{ name: string }>('SELECT name FROM api_keys WHERE id = $1', [institution.keyId]);
  const words = visibleText(await log());
  expect(words).toContain(`UTC ${headers.get('x-request-id') ?? ''} API key “${keyName}” ${institution.keyId} createStudent POST /v1/students Fields: full_name, personal_email created ${data.id}`);
  expect(words).not.toMatch(/Grace|grace@/);
});

it('names the key that a call was about, of the institution and of its sandbox', async () => {
  const made = async (name: string, environment: string): Promise<string> =>
    String((await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name, scopes: ['students:read'], environment } })).data.key_id);
  const [live, test] = [await made(`Roster ${hostile}`, 'live'), await made('Trial', 'test')];
  await api.platform('DELETE', `/keys/${live}`);
  const text = await log();
  const words = visibleText(text);
  expect(words).toContain(`revokeKey DELETE /platform/v1/keys/{id} id “Roster ${escaped}” ${live}`);
  expect(words).toContain(`created “Trial” ${test}`);
  expect(text).not.toContain(hostile);
});

it('names the person of the staff who did something', async () => {
  const olga = await addStaffMember(api, 'operator', 'Olga Operator');
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { key: olga.token, body: { allowance_cents: 700 } });
  expect(visibleText(await log({ actor: olga.id }))).toContain(`Staff “Olga Operator” ${olga.id} setAllowance PUT /platform/v1/institutions/{id}/allowance`);
});

it('takes the email of a person of the staff as the actor, from those who may know it, and leads from a name to their calls', async () => {
  const [olga, sam] = [await addStaffMember(api, 'operator', 'Olga Operator'), await addStaffMember(api, 'support', 'Sam Support')];
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { key: olga.token, body: { allowance_cents: 700 } });
  const path = `/console/institutions/${institution.id}/audit-log`;
  const [asOlga, asSam] = [await signInToConsole(api, olga.token), await signInToConsole(api, sam.token)];
  const found = (await asOlga.get(`${path}?actor=${olga.email.toUpperCase()}`)).text;
  expect(rowIds(found)).toHaveLength(1);
  expect(found).toContain(`<a href="${path}?actor=${olga.id}"><code>${olga.id}</code></a>`);
  expect(visibleText((await asSam.get(`${path}?actor=${olga.email}`)).text)).toContain(`“${olga.email}” is no actor id: only whole ids are searched, such as key_…, and console, platform, sign_in, retention and webhooks; not names; of emails only those of people of the staff whom you may see.`);
  expect(visibleText((await asSam.get(`${path}?actor=${sam.email}`)).text)).not.toContain('is no actor id');
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

it('is searched by target, one step from the endpoint that was changed', async () => {
  const change = await call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { description: 'Grades' });
  await call('POST', '/groups', { name: 'Robotics' });
  expect(await page(`/endpoints/${endpoint.id}`)).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${endpoint.id}"`);
  const text = await log({ target: endpoint.id });
  expect(rowIds(text)).toHaveLength(1);
  expect(visibleText(text)).toContain(change.headers.get('x-request-id') ?? '-');
});

it('is searched by either name of a person, whichever the calls used', async () => {
  const { data } = await call('POST', '/students', { full_name: 'Grace' });
  expect((await call('POST', `/students/${data.id}/suspend`)).status).toBe(200);
  expect((await call('PATCH', `/students/${data.login_email}`, { full_name: 'Grace Hopper' })).status).toBe(200);
  await call('POST', '/students', { full_name: 'Ada' });
  for (const target of [data.id, data.login_email]) expect(rowIds(await log({ target: String(target) }))).toHaveLength(3);
});

it('looks for a target among 20,000 calls at a time, and says how far it has looked', async () => {
  await seedAuditLog(api, institution, { at: daysBefore(new Date(), 1), count: 20_003 });
  const first = await log({ target: 'stu_2' });
  expect(shownRows(first)).toEqual([]);
  expect(visibleText(first)).toMatch(/No call matches among those searched so far\. Searched back to .+ “Older” searches further\./);
  const older = /href="\/console([^"]+)">Older/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(older).toContain('target=stu_2');
  expect(shownRows(await page(older))).toHaveLength(1);
});

it('offers the operations that there are, by resource, and keeps one that it does not know', async () => {
  const text = await log({ operation: 'createGroup' });
  const groups = [...text.matchAll(/<optgroup label="([^"]+)">(.*?)<\/optgroup>/gs)].map(([, label = '', options = '']) => [label, options] as const);
  const resources = groups.map(([label]) => label);
  expect(resources).toEqual(resources.toSorted());
  expect(new Map(groups).get('Groups')).toContain('<option value="createGroup" selected>createGroup</option>');
  expect(text).not.toContain('value="listGroups"');
  expect(await log({ operation: 'ofAnotherRelease' })).toContain('<option value="ofAnotherRelease" selected>');
});

it('says of a changed status which one it was, where the call has it in its path', async () => {
  await call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { status: 'paused' });
  expect(visibleText(await log())).toContain('Fields: status (paused or active: values are not kept)');
});
