import { newId } from '../../domain/ids';
import { consoleFixture, escaped, hostile, visibleText } from '../support/consoleFixture';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, call, sql, endpoint, createStudents, createGroup } = fixture;

const find = (q: string) => fixture.session.get(`/console/search?${new URLSearchParams({ q }).toString()}`);
const destination = async (q: string) => (await find(q)).headers.get('location');

describe('the search box', () => {
  it('leads from an id, or the id of a workflow, to its page', async () => {
    const delivery = await endpoint.seedDelivery();
    const [event = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(1) });
    const replay = newId('rpl');
    await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, 2, now())', [institution.id, delivery, replay]);
    expect(await destination(delivery)).toBe(`/console/deliveries/${delivery}`);
    expect(await destination(` "${delivery}:2". `)).toBe(`/console/deliveries/${delivery}`);
    expect(await destination(event)).toBe(`/console/events/${event}`);
    expect(await destination(`${endpoint.id}:3`)).toBe(`/console/endpoints/${endpoint.id}`);
    expect(await destination(institution.id.toUpperCase())).toBe(`/console/institutions/${institution.id}`);
    expect(await destination(institution.loginDomain)).toBe(`/console/institutions/${institution.id}`);
    expect(await destination(replay)).toBe(`/console/endpoints/${endpoint.id}/replays/${replay}`);
  });

  it.each([['North & South', '/console/institutions?q=North+%26+South'], ['whd_../../x', '/console/institutions?q=whd_..%2F..%2Fx'], ['', '/console/institutions']])(
    'takes "%s" for a part of a name',
    async (typed, path) => {
      expect(await destination(typed)).toBe(path);
    },
  );

  it('says what a thing without a page is, of which institution, and since when', async () => {
    const [student = ''] = await createStudents(1);
    const { status, text } = await find(await createGroup([student]));
    expect(status).toBe(200);
    expect(visibleText(text)).toMatch(/Looked for: group, by id grp_\w+ group grp_\w+ Institution North School ins_\w+ Created (now|\d+ s ago)/);
    expect(text).toContain(`href="/console/institutions/${institution.id}"`);
  });

  it('leads from a login email to the person, and never shows an email that nobody signs in with', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada', personal_email: 'ada.byron@mail.example' });
    expect(visibleText((await find(String(data.login_email))).text)).toContain(`student ${String(data.id)}`);
    const { text } = await find('ada.byron@mail.example');
    expect(text).toContain('Nobody has this login email.');
    expect(text).not.toContain('ada.byron');
    const named = await find('Ada Byron <ada.byron@mail.example>');
    expect([named.status, visibleText(named.text).includes('search the login email with nothing around it'), named.text.includes('ada.byron')]).toEqual([200, true, false]);
  });

  it('leads from a request id to its writes, and from an API key to its calls', async () => {
    const { headers } = await call('POST', '/groups', { name: 'Robotics' });
    const requestId = headers.get('x-request-id') ?? '';
    const { text } = await find(requestId);
    expect(visibleText(text)).toContain(`createGroup (POST /v1/groups) by key ${institution.keyId}`);
    expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?request=${requestId}"`);
    expect((await find(institution.keyId)).text).toContain(`href="/console/institutions/${institution.id}/audit-log?actor=${institution.keyId}"`);
  });

  it('says what it looked for where there is nothing, and escapes what was typed', async () => {
    expect(visibleText((await find('lic_01jd4k6f2mep2s5xg5yhc8m1zr')).text)).toContain('Nothing found Looked for: license, by id lic_01jd4k6f2mep2s5xg5yhc8m1zr There is no license with the id');
    const { text } = await fixture.session.get(`/console/institutions?${new URLSearchParams({ q: hostile }).toString()}`);
    expect([text.includes(escaped), text.includes(hostile)]).toEqual([true, false]);
  });
});
