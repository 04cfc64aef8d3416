import { consoleFixture, visibleText } from '../support/consoleFixture';
import { activeSeats, signInToApp } from '../support/seatSignIn';
import { openSandboxOf } from '../support/sandboxes';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, call, page, sql } = fixture;

const find = (id: string): Promise<string> => page(`/search?q=${id}`);
const newStudent = async (): Promise<{ id: string; license: { id: string } }> => (await call('POST', '/students', { full_name: 'Ada' })).data;
const seatsOf = async (userId: string): Promise<string[]> => (await sql<{ id: string }>('SELECT id FROM seats WHERE user_id = $1 ORDER BY created_at, id', [userId])).map(({ id }) => id);

/** A time as UTC and below it that of the institution. */
const exact = String.raw`\d+ \w+ \d{4}, [\d:]+ UTC \d+ \w+ \d{4}, [\d:]+ Europe/Berlin`;

describe('the page of a seat', () => {
  it('says app, platform, whose it is and when it was used, and never the device', async () => {
    await sql("UPDATE institutions SET time_zone = 'Europe/Berlin' WHERE id = $1", [institution.id]);
    const { id } = await newStudent();
    await signInToApp(api, institution, id, 'svcapp', 'laptop-of-ada', minutesAgo(5));
    const [seat = ''] = await seatsOf(id);
    const text = await find(seat);
    expect(visibleText(text)).toMatch(new RegExp(`Status active App svcapp Platform linux Belongs to ${id} Signed in 5 min ago ${exact} Last seen 5 min ago ${exact} Ended not yet More`));
    expect(text).toContain(`href="/console/search?q=${id}"`);
    expect(text).not.toContain('laptop-of-ada');
  });

  it('that was evicted says that a sign-in on another device took its place, and leads to that seat', async () => {
    const { id } = await newStudent();
    for (const [index, device] of ['one', 'two', 'three'].entries()) await signInToApp(api, institution, id, 'svcapp', device, minutesAgo(20 - index));
    const [oldest = '', , newest = ''] = await seatsOf(id);
    const text = await find(oldest);
    expect(visibleText(text)).toMatch(new RegExp(`Status evicted .+ Signed in 20 min ago .+ Ended 18 min ago .+ Why it ended a sign-in on another device took its place, as a person has two seats in an app: ${newest} `));
    expect(text).toContain(`href="/console/search?q=${newest}"`);
  });

  it('that was revoked says by whom and by which request, also of a sandbox whose clock was moved', async () => {
    const sandbox = await openSandboxOf(api, institution);
    await sandbox.advance(3 * 86_400);
    const { data: person } = await api.call('POST', '/students', { key: sandbox.key, body: {} });
    await signInToApp(api, { ...institution, id: sandbox.id }, String(person.id), 'svcapp', 'one', new Date(Date.now() + 3 * 86_400_000));
    const [seat = ''] = await seatsOf(String(person.id));
    const { status, headers } = await api.call('POST', `/licenses/${String(person.license.id)}/devices/${seat}/revoke`, { key: sandbox.key });
    expect(status).toBe(200);
    expect(visibleText(await find(seat))).toMatch(new RegExp(`Status revoked .+ Why it ended the seat was revoked, by API key .+ revokeSeat, request ${headers.get('x-request-id') ?? ''} `));
  });

  it('that ended with the suspension of its person names the call; one that was signed out, the person', async () => {
    const { id } = await newStudent();
    await signInToApp(api, institution, id, 'svcapp', 'one');
    const [suspended = ''] = await seatsOf(id);
    const { headers } = await call('POST', `/students/${id}/suspend`);
    expect(visibleText(await find(suspended))).toMatch(new RegExp(`Status signed out .+ Why it ended its session ended, within a minute of a call that suspended the person, by API key “test” ${institution.keyId} suspendStudent, request ${headers.get('x-request-id') ?? ''} `));
    await sql('UPDATE seats SET ended_at = $2 WHERE id = $1', [suspended, minutesAgo(5)]);
    expect(visibleText(await find(suspended))).toContain('Why it ended by the person: they signed out in the app, ');
  });
});

it('the page of a person has the exact times of each seat next to their ages, and says that an evicted one was evicted by a sign-in on another device', async () => {
  await sql("UPDATE institutions SET time_zone = 'Europe/Berlin' WHERE id = $1", [institution.id]);
  const { id } = await newStudent();
  for (const [index, device] of ['one', 'two', 'three'].entries()) await signInToApp(api, institution, id, 'svcapp', device, minutesAgo(20 - index));
  const [{ id: newest } = { id: '' }] = await activeSeats(api, id);
  const [oldest = ''] = await seatsOf(id);
  const at = String.raw`\(\d+ \w+ \d{4}, [\d:]+ Europe/Berlin\)`;
  const words = visibleText(await find(id));
  expect(words).toMatch(new RegExp(`evicted svcapp, linux: signed in 20 min ago ${at} , evicted by a sign-in on another device 18 min ago ${at} ${oldest} `));
  expect(words).toMatch(new RegExp(`active svcapp, linux: signed in 18 min ago ${at} ${newest} `));
});
