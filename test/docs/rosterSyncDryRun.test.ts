import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSync, rosterSyncFixture, type Roster } from '../support/rosterSync';

const place = rosterSyncFixture();

const before: Roster = new Map(Array.from({ length: 6 }, (_, nth) => [`S-${nth}`, { full_name: `Student ${nth}`, class: nth % 2 === 0 ? '7a' : '7b' }]));

/** S-0 has left, S-1 has another name, S-2 another class, and S-6 is new. */
function nextNight(): Roster {
  const roster: Roster = new Map(before);
  roster.delete('S-0');
  roster.set('S-1', { full_name: 'Renamed', class: '7b' });
  roster.set('S-2', { full_name: 'Student 2', class: '7c' });
  roster.set('S-6', { full_name: 'Student 6', class: '7c' });
  return roster;
}

describe.each(['sync.ts', 'sync.py'] as const)('%s --dry-run', (name) => {
  it('names everybody whom the run then creates, renames, suspends and reactivates, and ends with 0', async () => {
    const sync = await createSync(place, name);
    const state = join(place.folder, `${sync.institution.id}.sqlite`);
    const named = [...before.keys()];
    expect(await sync.run(before, '--dry-run')).toEqual({
      code: 0,
      output: `${named.map((id) => `${id} would be created\n`).join('')}6 students in the roster, nothing was changed: 6 would be created, 0 would be renamed, 0 would be suspended, 0 would be reactivated, 2 groups would be created or changed\n`,
    });
    expect(existsSync(state)).toBe(false);
    expect(await sync.run(before)).toMatchObject({ code: 0, output: expect.stringContaining(': 6 created, 0 renamed, 0 suspended, 0 reactivated, 2 groups') });

    const stored = readFileSync(state);
    expect(await sync.run(nextNight(), '--dry-run')).toEqual({
      code: 0,
      output: 'S-6 would be created\nS-0 would be suspended\nS-1 would be renamed\n6 students in the roster, nothing was changed: 1 would be created, 1 would be renamed, 1 would be suspended, 0 would be reactivated, 2 groups would be created or changed\n',
    });
    expect(readFileSync(state).equals(stored)).toBe(true);
    expect(await sync.run(nextNight())).toMatchObject({ code: 0, output: expect.stringContaining(': 1 created, 1 renamed, 1 suspended, 0 reactivated, 2 groups') });

    expect(await sync.run(new Map([...nextNight(), ...before]), '--dry-run')).toMatchObject({ code: 0, output: expect.stringMatching(/^S-0 would be reactivated\nS-1 would be renamed\n/) });
    rmSync(state);
    expect(await sync.run(nextNight(), '--dry-run')).toMatchObject({ code: 0, output: expect.stringMatching(/^6 students in the roster, nothing was changed: 0 would be created/) });
  });

  it('reads with the reading scopes alone, and changes nothing at the service', async () => {
    const sync = await createSync(place, name);
    const { data: reading } = await place.api.platform('POST', `/institutions/${sync.institution.id}/keys`, { body: { name: 'Reading', scopes: ['institution:read', 'students:read', 'groups:read', 'webhooks:read'] } });
    expect(await sync.runAt(before, place.api.baseUrl, reading.api_key, '--dry-run')).toMatchObject({ code: 0, output: expect.stringContaining(' 6 would be created,') });
    for (const path of ['/students', '/groups']) expect((await place.api.call('GET', path, { key: reading.api_key })).data.items).toEqual([]);
    expect(await place.api.call('GET', '/institution/config', { key: reading.api_key })).toMatchObject({ data: { unique_student_ids: false } });
  });

  it('finds what a run that was killed has left in its outbox, and leaves it there', async () => {
    const sync = await createSync(place, name);
    await sync.run(before);
    const [id] = sync.mirror("SELECT id FROM students WHERE student_id = 'S-1'")[0] ?? [];
    sync.mirror(`INSERT INTO outbox (key, planned_at, intent) VALUES ('a', ${Date.now()}, '${JSON.stringify({ kind: 'change student', id, changes: { full_name: 'Renamed' } })}') RETURNING n`);
    const renamed: Roster = new Map([...before, ['S-1', { full_name: 'Renamed', class: '7b' }]]);
    expect(await sync.run(renamed, '--dry-run')).toMatchObject({ code: 0, output: expect.stringMatching(/^S-1 would be renamed\n6 students/) });
    expect(sync.mirror('SELECT key FROM outbox')).toEqual([['a']]);
  });

  it('ends with 1, as the run does, for a file that must be corrected and for too many leavers', async () => {
    const sync = await createSync(place, name);
    expect(await sync.run('student_id,full_name,class\n,Ada,7a\n', '--dry-run')).toEqual({ code: 1, output: expect.stringMatching(/line 2: student_id is empty\n$/) });
    await sync.run(before);
    const half: Roster = new Map([...before].slice(3));
    expect(await sync.run(half, '--dry-run')).toEqual({ code: 1, output: '3 of 6 students are not in the roster, and nobody was suspended; if that is right, run with --many-leavers\n' });
    expect(await sync.run(half, '--dry-run', '--many-leavers')).toMatchObject({ code: 0, output: expect.stringContaining(' 3 would be suspended,') });
  });
});
