import { findPage, pageRoutes } from '../../console/routes';
import { actions } from '../../console/actions';
import { apiFixture } from '../support/apiFixture';
import { requestConsole, signInToConsole, type ConsoleResponse, type ConsoleSession } from '../support/console';
import { escaped, hostile, visibleText } from '../support/consoleFixture';
import { addStaffMember, type StaffMember } from '../support/staff';

const { api, sql } = apiFixture({ institutionPer: 'none' });

let olga: StaffMember;
let operator: ConsoleSession;
let sam: StaffMember;

beforeAll(async () => {
  olga = await addStaffMember(api, 'operator', 'Olga Operator');
  operator = await signInToConsole(api, olga.token);
});

beforeEach(async () => {
  sam = await addStaffMember(api, 'support', hostile);
});

const emailOf = (name: string): string => `${name}.${sam.id.slice(-10)}@platform.example`;
const read = async (id: string) => (await api.platform('GET', `/staff/${id}`)).data;
const memberPage = async (): Promise<string> => (await operator.get(`/console/staff/${sam.id}`)).text;
const auditOf = async (target: string) => (await api.platform('GET', '/audit-log', { query: { target_id: target } })).data.items;
const createToken = (fields: Record<string, string> = {}): Promise<ConsoleResponse> => operator.post(`/console/staff/${sam.id}/tokens`, { 'token-name': 'Laptop', expires_in_days: '2', ...fields });
const shownToken = ({ text }: ConsoleResponse): string => /id="staff-token">(svc_staff_[\w-]+)</.exec(text)?.[1] ?? '';

describe('the list of the staff', () => {
  it('is led to for operators, and has everybody, newest first, with what people typed as text', async () => {
    const { text } = await operator.get('/console/institutions');
    expect(text).toContain('<a href="/console/staff">Staff</a>');
    const list = await operator.get('/console/staff');
    expect(list.text).toContain(`<a href="/console/staff/${sam.id}">${escaped}</a><span class="second">${sam.email}</span>`);
    expect(list.text).not.toContain(hostile);
    await api.platform('DELETE', `/staff/${sam.id}`);
    expect((await operator.get('/console/staff')).text).toContain('badge-revoked');
  });

  it('comes 50 a page, each person once', async () => {
    for (let number = 0; number < 51; number += 1) await addStaffMember(api);
    const idsOf = ({ text }: ConsoleResponse): string[] => [...text.matchAll(/id="row-(\w+)"/g)].map(([, id]) => id ?? '');
    const [first, second] = [await operator.get('/console/staff'), await operator.get('/console/staff?page=2')];
    expect(first.text).toContain('href="/console/staff?page=2">Older</a>');
    expect(second.text).toContain('href="/console/staff">Newest</a>');
    expect([idsOf(first).length, new Set([...idsOf(first), ...idsOf(second)]).size]).toEqual([50, idsOf(first).length + idsOf(second).length]);
    expect((await operator.get('/console/staff?page=x')).text).toContain('Newest first');
  });
});

describe('a person', () => {
  it('is added with a role, which leads to their page', async () => {
    const done = await operator.postAndFollow('/console/staff', { name: 'Ben', email: emailOf('ben').toUpperCase(), role: 'support' });
    expect([done.status, done.path]).toEqual([200, expect.stringMatching(/^\/console\/staff\/stf_\w+$/)]);
    expect(done.text).toContain('Ben is of the staff now.');
    const id = done.path.split('/').at(-1) ?? '';
    expect(await read(id)).toMatchObject({ name: 'Ben', email: emailOf('ben'), role: 'support', status: 'active', created_by: olga.id });
    expect(await auditOf(id)).toMatchObject([{ operation: 'addStaff', method: 'POST', path: '/console/staff', actor: { kind: 'staff', id: olga.id, name: 'Olga Operator' }, changed: ['name', 'email', 'role'], target: { created: id } }]);
  });

  it.each([
    ['without a name', { name: ' ' }, '(validation_error)'],
    ['with an email that is none', { email: 'ben' }, '(validation_error)'],
    ['with a role that there is not', { role: 'admin' }, '(validation_error)'],
  ])('%s is refused in words', async (_what, wrong, code) => {
    const done = await operator.postAndFollow('/console/staff', { name: 'Ben', email: emailOf('ben'), role: 'support', ...wrong });
    expect(done.path).toBe('/console/staff');
    expect(done.text).toMatch(/<p class="flash refused" role="alert">/);
    expect(done.text).toContain(code);
  });

  it('with an email of somebody else is refused in words', async () => {
    expect((await operator.postAndFollow('/console/staff', { name: 'Ben', email: sam.email, role: 'support' })).text).toContain('(already_added)');
  });

  it('is changed, and the audit log names the fields that are', async () => {
    const done = await operator.postAndFollow(`/console/staff/${sam.id}`, { name: 'Sam', email: sam.email, role: 'operator' });
    expect(done.text).toContain('Sam is changed; the role counts from their next request on.');
    expect(await read(sam.id)).toMatchObject({ name: 'Sam', email: sam.email, role: 'operator' });
    const [change] = await auditOf(sam.id);
    expect(change).toMatchObject({ operation: 'updateStaff', path: '/console/staff/{id}', changed: ['name', 'role'], target: { id: sam.id } });
    expect(visibleText(await memberPage())).toContain(`Staff “Olga Operator” ${olga.id} updateStaff Fields: name, role`);
    const calls = (await auditOf(sam.id)).length;
    expect((await operator.postAndFollow(`/console/staff/${sam.id}`, { name: 'Sam', email: sam.email, role: 'operator' })).text).toContain('Nothing was changed.');
    expect(await auditOf(sam.id)).toHaveLength(calls);
  });

  it('is revoked after a question: their tokens and sessions end, and nothing but reading is left on their page', async () => {
    const session = await signInToConsole(api, sam.token);
    expect(await memberPage()).toContain(`href="/console/staff/${sam.id}/revoke">Revoke…</a>`);
    expect(visibleText((await operator.get(`/console/staff/${sam.id}/revoke`)).text)).toContain('Their tokens and their sessions of this console end at once');
    const done = await operator.postAndFollow(`/console/staff/${sam.id}/revoke`);
    expect(done.text).toContain('They are revoked: their tokens and sessions have ended.');
    expect((await session.get('/console/institutions')).status).toBe(303);
    expect((await api.platform('GET', '/institutions', { key: sam.token })).status).toBe(401);
    expect((await auditOf(sam.id))[0]).toMatchObject({ operation: 'revokeStaff', changed: [] });
    const forms = [...done.text.replace(/^[\s\S]*<main/, '').matchAll(/<form/g)];
    expect([forms.length, visibleText(done.text).includes('Revoked: they cannot sign in')]).toEqual([0, true]);
  });

  it('who revokes themselves is warned before, and is signed out by it', async () => {
    const ada = await addStaffMember(api, 'operator');
    const session = await signInToConsole(api, ada.token);
    expect((await session.get(`/console/staff/${ada.id}/revoke`)).text).toContain('This is you: you are signed out at once.');
    await session.post(`/console/staff/${ada.id}/revoke`);
    expect((await session.get('/console/staff')).status).toBe(303);
  });

  it('that nobody is is not found', async () => {
    for (const path of ['/console/staff/stf_none', '/console/staff/stf_none/revoke']) expect((await operator.get(path)).status).toBe(404);
    expect((await operator.post('/console/staff/stf_none/revoke')).headers.get('location')).toBe('/console/staff/stf_none');
  });
});

describe('a personal token', () => {
  it('is shown once, on a page that is neither kept nor brought up to date, and works', async () => {
    const done = await createToken();
    const token = shownToken(done);
    expect([done.status, done.headers.get('cache-control'), done.headers.getSetCookie()]).toEqual([200, 'no-store', []]);
    expect(done.text).not.toContain('data-live');
    expect((await api.platform('GET', '/institutions', { key: token })).status).toBe(200);
    expect(await memberPage()).not.toContain(token);
    expect((await operator.get(`/console/staff/${sam.id}/tokens`)).headers.get('location')).toBe(`/console/staff/${sam.id}`);
    const [{ rows } = { rows: 0 }] = await sql<{ rows: number }>("SELECT count(*)::integer AS rows FROM staff_tokens t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%'", [token]);
    expect(rows).toBe(0);
  });

  it('is in the audit log with its id, never with itself', async () => {
    const token = shownToken(await createToken());
    const [created] = await auditOf(sam.id);
    expect(created).toMatchObject({ operation: 'createStaffToken', path: '/console/staff/{id}/tokens', actor: { id: olga.id }, target: { id: sam.id, created: expect.stringMatching(/^stk_/) } });
    expect(JSON.stringify(created)).not.toContain(token.slice(10));
  });

  it('lists with its last characters, who created it and when it was used, and ends by its button', async () => {
    const done = await createToken();
    const [{ id } = { id: '' }] = (await api.platform('GET', `/staff/${sam.id}/tokens`)).data.items;
    expect(visibleText(await memberPage())).toMatch(new RegExp(`Laptop ends with ${shownToken(done).slice(-4)} active .* by ${olga.id} in (2 d|1 d) .* never Revoke the token Laptop`));
    const revoked = await operator.postAndFollow(`/console/staff/${sam.id}/tokens/${id}/revoke`);
    expect(revoked.text).toContain('The token is revoked, and the sessions that it began have ended.');
    expect((await api.platform('GET', '/institutions', { key: shownToken(done) })).status).toBe(401);
    expect((await api.platform('GET', '/institutions', { key: sam.token })).status).toBe(200);
    expect((await auditOf(id))[0]).toMatchObject({ operation: 'revokeStaffToken', target: { id: sam.id, token_id: id } });
  });

  it.each([{ 'token-name': '' }, { expires_in_days: '0' }, { expires_in_days: '366' }, { expires_in_days: 'x' }])('with %j is refused in words', async (wrong) => {
    const done = await operator.postAndFollow(`/console/staff/${sam.id}/tokens`, { 'token-name': 'Laptop', expires_in_days: '2', ...wrong });
    expect(done.text).toContain('(validation_error)');
  });

  it('needs the form of the session, from this site', async () => {
    expect((await createToken({ form_token: 'x' })).status).toBe(403);
    expect((await operator.post(`/console/staff/${sam.id}/tokens`, { 'token-name': 'T', expires_in_days: '2' }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await api.platform('GET', `/staff/${sam.id}/tokens`)).data.total).toBe(1);
  });
});

describe('the role support', () => {
  const staffPages = pageRoutes.filter((route) => route.startsWith('/console/staff'));
  const ofOperators = actions.filter(({ isForOperators }) => isForOperators);
  const pathOf = (route: string): string => route.replace(':id', sam.id).replace(':token_id', sam.tokenId);

  it('has no link to the staff, and every page about them is forbidden', async () => {
    const support = await signInToConsole(api, sam.token);
    expect((await support.get('/console/institutions')).text).not.toContain('/console/staff');
    expect(staffPages.length).toBeGreaterThan(3);
    for (const route of staffPages) {
      expect(findPage(pathOf(route))?.route).toBe(route);
      const { status, text } = await support.get(pathOf(route));
      expect([route, status, text.includes('Only operators see and change the staff. (forbidden)')]).toEqual([route, 403, true]);
    }
  });

  it('can do nothing to them, also to themselves', async () => {
    const support = await signInToConsole(api, sam.token);
    expect(ofOperators.map(({ path }) => path).sort()).toEqual(actions.map(({ path }) => path).filter((path) => path.startsWith('/staff')).sort());
    const before = await read(sam.id);
    for (const { path } of ofOperators) {
      const { status } = await support.post(`/console${pathOf(path)}`, { name: 'Mallory', email: emailOf('mallory'), role: 'operator', 'token-name': 'T', expires_in_days: '365' });
      expect([path, status]).toEqual([path, 403]);
    }
    expect(await read(sam.id)).toEqual(before);
    expect((await api.platform('GET', `/staff/${sam.id}/tokens`)).data.total).toBe(1);
  });

  it('is that of a person who was an operator a moment ago, at once', async () => {
    const ada = await addStaffMember(api, 'operator');
    const session = await signInToConsole(api, ada.token);
    expect((await session.get('/console/staff')).status).toBe(200);
    await operator.postAndFollow(`/console/staff/${ada.id}`, { name: ada.name, email: ada.email, role: 'support' });
    expect([(await session.get('/console/staff')).status, (await session.post(`/console/staff/${ada.id}`, { name: 'A', email: ada.email, role: 'operator' })).status]).toEqual([403, 403]);
  });

  it('without a session nothing about the staff is shown', async () => {
    for (const route of staffPages) expect((await requestConsole(api, 'GET', pathOf(route))).status).toBe(303);
  });
});
