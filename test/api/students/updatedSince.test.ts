import { updateStudent } from '../../../domain/students/updateStudent';
import { transact } from '../../../domain/transact';
import { apiFixture } from '../../support/apiFixture';
import { studentOf } from '../../domain/signIn/account';

const fixture = apiFixture();
const { api, institution, call, sql, listAt } = fixture;

const minute = 60_000;
const overlapMs = 5 * minute;
const past = '2026-01-01T00:00:00.000Z';

const create = async (body: object = {}) => (await call('POST', '/students', body)).data;
const read = async (id: string) => (await call('GET', `/students/${id}`)).data;
const changedSince = async (updated_since: string | Date, query: object = {}): Promise<string[]> =>
  (await listAt('/students', { ...query, updated_since: new Date(updated_since).toISOString() })).data.items.map(({ id }: { id: string }) => id);

/** As if the student had been created long ago and never changed. */
const age = (...ids: string[]) => sql('UPDATE users SET created_at = $3, updated_at = $3 WHERE institution_id = $1 AND id = ANY ($2::text[])', [institution.id, ids, past]);

describe('created_at and updated_at of a student', () => {
  it('are the same moment at first, and every response shows both', async () => {
    const before = Date.now();
    const created = await create({ student_id: 'S-1' });
    expect(created.updated_at).toBe(created.created_at);
    expect(Date.parse(created.created_at)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(created.created_at)).toBeLessThanOrEqual(Date.now());
    const portal = await api.platform('GET', `/institutions/${institution.id}/students`);
    for (const shown of [await read(created.id), (await listAt('/students')).data.items[0], portal.data.items[0]]) expect(shown).toEqual(created);
  });

  it.each<[string, string, object | undefined]>([
    ['a name', '', { full_name: 'Grace' }],
    ['a student_id', '', { student_id: 'S-2' }],
    ['a personal email', '', { personal_email: 'grace@example.org' }],
    ['a status by PATCH', '', { status: 'suspended' }],
    ['a suspension', '/suspend', undefined],
  ])('%s changes updated_at alone, and the answer says so', async (_what, path, body) => {
    const { id } = await create({ full_name: 'Ada', student_id: 'S-1', personal_email: 'ada@example.org' });
    await age(id);
    const { data } = await call(path === '' ? 'PATCH' : 'POST', `/students/${id}${path}`, body);
    expect([data.created_at, Date.now() - Date.parse(data.updated_at) < minute]).toEqual([past, true]);
    expect(await read(id)).toEqual(data);
  });

  it('a reactivation and a first sign-in, which change the status, do', async () => {
    const { id } = await create();
    await call('POST', `/students/${id}/suspend`);
    await age(id);
    expect((await call('POST', `/students/${id}/reactivate`)).data.updated_at).not.toBe(past);
    const account = await studentOf(api, institution, 'ada@mail.example');
    await age(account.id);
    const at = new Date();
    expect(await account.try(at, (await account.code(at))?.code ?? '')).toBeDefined();
    expect(await read(account.id)).toMatchObject({ status: 'active', created_at: past, updated_at: at.toISOString() });
  });

  it('a later sign-in, the license, groups and what is as it was do not', async () => {
    const account = await studentOf(api, institution, 'ada@mail.example');
    const at = new Date(Date.now() - minute);
    expect(await account.try(at, (await account.code(at))?.code ?? '')).toBeDefined();
    await age(account.id);
    const before = await read(account.id);
    const later = new Date();
    expect(await account.try(later, (await account.code(later))?.code ?? '')).toBeDefined();
    await call('POST', `/licenses/${before.license.id}/extend`, { days: 10 });
    await fixture.createGroup([account.id]);
    await call('PATCH', `/students/${account.id}`, { status: 'active', personal_email: 'ada@mail.example', full_name: null });
    await call('POST', `/students/${account.id}/reactivate`);
    await call('POST', `/licenses/${before.license.id}/revoke`, {});
    expect(await read(account.id)).toMatchObject({ created_at: past, updated_at: past, license: { status: 'revoked' } });
  });

  it('never go back, where a call that began earlier comes later', async () => {
    const { id, updated_at } = await create({ full_name: 'Ada' });
    const earlier = { ...institution.caller, now: new Date(Date.parse(updated_at) - minute) };
    for (const changes of [{ full_name: 'Grace' }, { status: 'suspended' as const }, { personal_email: 'grace@example.org' }]) {
      expect((await transact(api.api.domain, earlier, (tx) => updateStudent(tx, id, changes))).updated_at.toISOString()).toBe(updated_at);
    }
    expect(await read(id)).toMatchObject({ full_name: 'Grace', status: 'suspended', personal_email_mapped: true, updated_at });
  });
});

describe('GET /students?updated_since=', () => {
  it('answers who changed then or later, newest created first, with total and pages', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 4; nth += 1) ids.push((await create({ full_name: `Student ${nth}` })).id);
    const [first = '', second = '', third = '', fourth = ''] = ids;
    await age(...ids);
    await call('PATCH', `/students/${second}`, { full_name: 'Changed' });
    const { data } = await call('PATCH', `/students/${first}`, { full_name: 'Changed too' });
    await sql('UPDATE users SET created_at = created_at + $3 * interval \'1 second\' WHERE institution_id = $1 AND id = $2', [institution.id, second, 1]);
    expect(await changedSince(past)).toEqual([second, ...[first, third, fourth].toSorted().toReversed()]);
    expect(await changedSince('2026-01-01T00:00:00.001Z')).toEqual([second, first]);
    expect(await changedSince(data.updated_at)).toEqual(expect.arrayContaining([first]));
    expect(await changedSince(new Date(Date.parse(data.updated_at) + 1))).toEqual([]);
    const page = (await listAt('/students', { updated_since: '2026-06-01T00:00:00Z', limit: 1, page: 2 })).data;
    expect([page.total, page.has_more, page.items[0].id]).toEqual([2, false, first]);
  });

  it('goes with the other filters, and shows nobody of another institution', async () => {
    const { id } = await create({ student_id: 'S-1' });
    await create({ student_id: 'S-2' });
    await call('POST', '/students', { student_id: 'S-1' }, await api.institution());
    expect(await changedSince(past, { student_id: 'S-1' })).toEqual([id]);
    expect(await changedSince(past, { status: 'suspended' })).toEqual([]);
    expect(await changedSince(new Date(), { student_id: 'S-1' })).toEqual([]);
  });

  it.each(['', 'yesterday', '2026-11-20', '2026-13-01T00:00:00Z', '2026-11-20T00:00:00', '1795167060', '+275760-09-13T00:00:00.001Z'])('of %p is a validation_error', async (updated_since) => {
    const { status, body } = await listAt('/students', { updated_since });
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', 'updated_since']);
  });

  it('may be up to 5 minutes ahead of the clock, not more', async () => {
    expect((await listAt('/students', { updated_since: new Date(Date.now() + 4 * minute).toISOString() })).status).toBe(200);
    expect((await listAt('/students', { updated_since: new Date(Date.now() + 6 * minute).toISOString() })).status).toBe(422);
  });

  it('misses a change that is committed after the last look, if that is taken as it is; five minutes of overlap find it', async () => {
    const [slow, quick] = [await create(), await create()];
    await age(slow.id, quick.id);
    let lookedAt = '';
    // The change begins, the reader looks and sees what was committed meanwhile, then the change is committed.
    await transact(api.api.domain, { ...institution.caller, now: new Date() }, async (tx) => {
      await updateStudent(tx, slow.id, { full_name: 'Slow' });
      await new Promise((resolve) => setTimeout(resolve, 5));
      lookedAt = (await call('PATCH', `/students/${quick.id}`, { full_name: 'Quick' })).data.updated_at;
      expect(await changedSince('2026-06-01T00:00:00Z')).toEqual([quick.id]);
    });
    expect(await changedSince(lookedAt)).toEqual([quick.id]);
    const withOverlap = new Date(Date.parse(lookedAt) - overlapMs);
    expect((await changedSince(withOverlap)).toSorted()).toEqual([quick.id, slow.id].toSorted());
  });

  it('read with the overlap after any change leaves a copy that is the list itself', async () => {
    const copy = new Map<string, object>();
    let newest = past;
    const sync = async (): Promise<void> => {
      const since = new Date(Date.parse(newest) - overlapMs).toISOString();
      for (let page = 1, more = true; more; page += 1) {
        const { data } = await listAt('/students', { updated_since: since, page, limit: 3 });
        for (const student of data.items) {
          copy.set(student.id, student);
          if (student.updated_at > newest) newest = student.updated_at;
        }
        more = data.has_more;
      }
    };
    const ids: string[] = [];
    const changing = (async () => {
      for (let nth = 0; nth < 12; nth += 1) {
        ids.push((await create({ full_name: `Student ${nth}` })).id);
        await Promise.all([
          call('PATCH', `/students/${ids[nth % 5]}`, { full_name: `Changed ${nth}` }),
          call('POST', `/students/${ids[Math.floor(nth / 2)]}/${nth % 2 === 0 ? 'suspend' : 'reactivate'}`),
        ]);
      }
    })();
    const readers = (async () => {
      for (let times = 0; times < 6; times += 1) await sync();
    })();
    await Promise.all([changing, readers]);
    await sync();
    const { items } = (await listAt('/students', { limit: 200 })).data;
    expect([...copy.values()].length).toBe(12);
    expect(items.map(({ id }: { id: string }) => copy.get(id))).toEqual(items);
  });
});
