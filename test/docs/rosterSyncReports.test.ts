import { createSync, rosterSyncFixture, type Roster } from '../support/rosterSync';

const place = rosterSyncFixture();

const header = 'student_id,full_name,class\n';

describe.each(['sync.ts', 'sync.py'] as const)('%s', (name) => {
  it('names the student whose change the service refuses, and the class that it refuses', async () => {
    const sync = await createSync(place, name);
    expect(await sync.run(`${header}S-1,Ada,7a\nS-2,Alan,7a\nS-3,Grace,7b\n`)).toMatchObject({ code: 0 });
    const long = 'x'.repeat(201);
    const { code, output } = await sync.run(`${header}S-1,,7a\nS-2,${long},7a\nS-3,Grace,${long}\n`);
    expect(code).toBe(2);
    expect(output).toMatch(/^S-1 was not changed: .*422 validation_error: full_name /m);
    expect(output).toMatch(/^S-2 was not changed: .*422 validation_error: full_name /m);
    expect(output).toMatch(/^Class x+ was not created: .*422 validation_error: name /m);
    expect(output).toMatch(/^3 students in the roster, 3 failures: /m);
  });

  it('names the class that is gone, and by its id a student whom its state does not have', async () => {
    const sync = await createSync(place, name);
    expect(await sync.run(`${header}S-1,Ada,7a\nS-2,Alan,7b\n`)).toMatchObject({ code: 0 });
    // The calls of a run that was killed before it sent them, about students and groups that are not there.
    const plan = (key: string, intent: object): unknown => sync.mirror(`INSERT INTO outbox (key, planned_at, intent) VALUES ('${key}', ${Date.now()}, '${JSON.stringify(intent)}') RETURNING n`);
    plan('a', { kind: 'change student', id: 'stu_00000000000000000000000000', changes: { full_name: 'A' } });
    plan('b', { kind: 'replace members', class: '7b', id: 'grp_00000000000000000000000000', student_ids: [] });
    const { code, output } = await sync.run(`${header}S-1,Ada,7a\nS-2,Alan,7b\n`);
    expect(code).toBe(2);
    expect(output).toMatch(/^stu_0+ was not changed: .*404 /m);
    expect(output).toMatch(/^Class 7b was not changed: .*404 /m);
  });

  it('names the first 20 students of each kind of change, and counts the others, also before an error ends it', async () => {
    const sync = await createSync(place, name);
    const rosterOf = (count: number, fullName: string): Roster => new Map(Array.from({ length: count }, (_, nth) => [`S-${nth}`, { full_name: fullName, class: '7a' }]));
    const first = (change: string): string => Array.from({ length: 20 }, (_, nth) => `S-${nth} was ${change}\n`).join('');
    expect(await sync.run(rosterOf(20, 'Ada'))).toMatchObject({ code: 0, output: expect.stringMatching(new RegExp(`^${first('created')}20 students`)) });
    const { code, output } = await sync.run(rosterOf(21, 'Alan'));
    expect([code, output]).toEqual([0, `S-20 was created\n${first('renamed')}21 students in the roster, 0 failures: 1 created, 20 renamed, 0 suspended, 0 reactivated, 1 group created or changed\n`]);
    const other = await createSync(place, name);
    expect(await other.run(rosterOf(22, 'Ada'))).toMatchObject({ code: 0, output: expect.stringMatching(new RegExp(`^${first('created')}and 2 more were created\n22 students`)) });
    const third = await createSync(place, name);
    const scopes = ['institution:read', 'institution:write', 'students:read', 'students:write', 'groups:read', 'webhooks:read'];
    const { data: withoutGroups } = await place.api.platform('POST', `/institutions/${third.institution.id}/keys`, { body: { name: 'Without groups', scopes } });
    expect(await third.runAt(rosterOf(21, 'Ada'), place.api.baseUrl, withoutGroups.api_key)).toEqual({ code: 1, output: expect.stringMatching(new RegExp(`^${first('created')}and 1 more was created\nThe sync is not finished: `)) });
  });

  it('takes the names of the columns in any case', async () => {
    const sync = await createSync(place, name);
    expect(await sync.run('Student_ID,FULL_NAME,Class,EMAIL\nS-1,Ada,7a,ada@example.org\n')).toMatchObject({ code: 0, output: expect.stringContaining(': 1 created,') });
  });

  it('reactivates a student whom it suspended under an earlier student_id, once that is changed at the service', async () => {
    const sync = await createSync(place, name);
    const key = sync.institution.apiKey;
    await sync.run(`${header}S-1,Ada,7a\nS-2,Alan,7a\n`);
    expect(await sync.run(`${header}S-2,Alan,7a\n`)).toMatchObject({ code: 0, output: expect.stringContaining('S-1 was suspended\n') });
    const { items: [{ id }] } = (await place.api.call('GET', '/students', { key, query: { student_id: 'S-1' } })).data;
    expect((await place.api.call('PATCH', `/students/${id}`, { key, body: { student_id: 'S-9' } })).status).toBe(200);
    expect(await sync.run(`${header}S-9,Ada,7a\nS-2,Alan,7a\n`)).toMatchObject({ code: 0, output: expect.stringMatching(/^S-9 was reactivated\n.*: 0 created, 0 renamed, 0 suspended, 1 reactivated/) });
    expect((await place.api.call('GET', `/students/${id}`, { key })).data.status).not.toBe('suspended');
  });
});
