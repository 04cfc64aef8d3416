import fc from 'fast-check';
import { institutionScope } from '../../../db/database';
import { readWrongTries } from '../../../domain/signIn/accountLock';
import { transact } from '../../../domain/transact';
import { suspendStudent, reactivateStudent } from '../../../domain/students/changeStatus';
import { updateStudent } from '../../../domain/students/updateStudent';
import type { IssuedCode } from '../../../domain/signIn/issueCode';
import { studentOf, wrongCodeFor, type TestAccount } from './account';
import { apiFixture } from '../../support/apiFixture';

const minute = 60_000;
const hour = 60 * minute;
const noon = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number): Date => new Date(noon.getTime() + ms);

const { api, institution } = apiFixture({ institutionPer: 'file' });
let mailboxes = 0;

const mapped = () => studentOf(api, institution, `mailbox${(mailboxes += 1)}@mail.example`);

async function issued(account: TestAccount, now: Date): Promise<IssuedCode> {
  const code = await account.code(now);
  if (code === undefined) throw new Error('No code was issued');
  return code;
}

async function fail(account: TestAccount, code: IssuedCode, now: Date, times: number): Promise<void> {
  for (let made = 0; made < times; made += 1) expect(await account.try(now, wrongCodeFor(code))).toBeUndefined();
}

describe('a code', () => {
  it('has six digits and is kept as an HMAC alone', async () => {
    const account = await mapped();
    const { id, code } = await issued(account, noon);
    expect(code).toMatch(/^\d{6}$/);
    const [row] = await api.api.domain.database.sql<{ kept: string }>('SELECT sign_in_codes::text AS kept FROM sign_in_codes WHERE id = $1', [id]);
    expect(row?.kept).not.toContain(code);
  });

  it('opens one session, of 12 hours', async () => {
    const account = await mapped();
    const { code } = await issued(account, noon);
    const signedIn = await account.try(after(minute), code);
    expect(signedIn?.session.expiresAt).toEqual(after(12 * hour + minute));
    expect(await account.try(after(minute), code)).toBeUndefined();
  });

  it('opens one session of many tried at once', async () => {
    const account = await mapped();
    const { code } = await issued(account, noon);
    const tried = await Promise.all(Array.from({ length: 8 }, () => account.try(noon, code)));
    expect(tried.filter((signedIn) => signedIn !== undefined)).toHaveLength(1);
  });

  it('is valid for 10 minutes to the millisecond', async () => {
    const [early, late] = await Promise.all([mapped(), mapped()]);
    expect(await early.try(after(10 * minute - 1), (await issued(early, noon)).code)).toBeDefined();
    expect(await late.try(after(10 * minute), (await issued(late, noon)).code)).toBeUndefined();
  });

  it('is right at the fifth try, and worth nothing after five wrong ones', async () => {
    const [careful, careless] = await Promise.all([mapped(), mapped()]);
    const right = await issued(careful, noon);
    await fail(careful, right, noon, 4);
    expect(await careful.try(noon, right.code)).toBeDefined();
    const lost = await issued(careless, noon);
    await fail(careless, lost, noon, 5);
    expect(await careless.try(noon, lost.code)).toBeUndefined();
  });

  it('counts five wrong tries made at once as five, and no more', async () => {
    const account = await mapped();
    const code = await issued(account, noon);
    await Promise.all(Array.from({ length: 12 }, () => account.try(noon, wrongCodeFor(code))));
    const [row] = await api.api.domain.database.sql<{ wrong_tries: number }>('SELECT wrong_tries FROM sign_in_codes WHERE id = $1', [code.id]);
    expect(row?.wrong_tries).toBe(5);
    expect(await account.try(noon, code.code)).toBeUndefined();
  });

  it('is replaced by a newer one', async () => {
    const account = await mapped();
    const older = await issued(account, noon);
    let newer = await issued(account, after(1));
    // One in a million draws the same digits again.
    if (newer.code === older.code) newer = await issued(account, after(2));
    expect(await account.try(after(minute), older.code)).toBeUndefined();
    expect(await account.try(after(minute), newer.code)).toBeDefined();
  });

  it('does not come back when the newer one has been used', async () => {
    const account = await mapped();
    const older = await issued(account, noon);
    const newer = await issued(account, after(1));
    expect(await account.try(after(minute), newer.code)).toBeDefined();
    expect(await account.try(after(minute), older.code)).toBeUndefined();
  });

  it('is worth nothing for another account', async () => {
    const [own, other] = await Promise.all([mapped(), mapped()]);
    const { code } = await issued(own, noon);
    const otherCode = await issued(other, noon);
    if (code !== otherCode.code) expect(await other.try(noon, code)).toBeUndefined();
    expect(await own.try(noon, code)).toBeDefined();
  });
});

describe('the limits of an account', () => {
  it('are five codes an hour, and a sixth when the first is an hour old', async () => {
    const account = await mapped();
    for (let nth = 0; nth < 5; nth += 1) expect(await account.code(after(nth * minute))).toBeDefined();
    expect(await account.code(after(hour - 1))).toBeUndefined();
    expect(await account.code(after(hour))).toBeDefined();
    expect(await account.code(after(hour))).toBeUndefined();
  });

  it('are five codes an hour also when many are asked for at once', async () => {
    const account = await mapped();
    const given = await Promise.all(Array.from({ length: 20 }, () => account.code(noon)));
    expect(given.filter((code) => code !== undefined)).toHaveLength(5);
  });

  it('are ten wrong tries, after which the right code is refused until an hour after the last one', async () => {
    const account = await mapped();
    await fail(account, await issued(account, noon), noon, 5);
    await fail(account, await issued(account, after(minute)), after(minute), 5);
    const locked = await issued(account, after(hour));
    expect(await account.try(after(hour + minute - 1), locked.code)).toBeUndefined();
    expect(await account.try(after(hour + minute), locked.code)).toBeDefined();
  });

  it('are extended by wrong tries during the lock, not by right ones', async () => {
    const account = await mapped();
    for (const at of [noon, after(minute)]) await fail(account, await issued(account, at), at, 5);
    const locked = await issued(account, after(30 * minute));
    await fail(account, locked, after(31 * minute), 1);
    expect(await account.try(after(32 * minute), locked.code)).toBeUndefined();
    const later = await issued(account, after(hour + 25 * minute));
    expect(await account.try(after(hour + 31 * minute - 1), later.code)).toBeUndefined();
    expect(await account.try(after(hour + 31 * minute), later.code)).toBeDefined();
  });

  it('know since when an account is locked: from the tenth wrong try on, also after further ones, until another lock begins', async () => {
    const account = await mapped();
    const lock = async (now: Date) => (await readWrongTries(institutionScope(api.api.domain.database, institution.id), account.id, now)).lock;
    await fail(account, await issued(account, noon), noon, 5);
    const second = await issued(account, after(minute));
    await fail(account, second, after(minute), 4);
    expect(await lock(after(minute))).toBeUndefined();
    await fail(account, second, after(2 * minute), 1);
    expect(await lock(after(2 * minute))).toEqual({ since: after(2 * minute), until: after(hour + 2 * minute) });
    await fail(account, await issued(account, after(30 * minute)), after(31 * minute), 2);
    expect(await lock(after(32 * minute))).toEqual({ since: after(2 * minute), until: after(hour + 31 * minute) });
    expect(await lock(after(hour + 31 * minute))).toBeUndefined();
    await fail(account, await issued(account, after(3 * hour)), after(3 * hour), 1);
    expect(await lock(after(3 * hour))).toEqual({ since: after(3 * hour), until: after(4 * hour) });
  });

  it('do not know since when an account is locked that a process of the release before locked, nor say the beginning of the lock before', async () => {
    const account = await mapped();
    const { sql } = api.api.domain.database;
    const since = async (now: Date) => (await readWrongTries(institutionScope(api.api.domain.database, institution.id), account.id, now)).lock?.since;
    for (const at of [noon, after(minute)]) await fail(account, await issued(account, at), at, 5);
    expect(await since(after(2 * minute))).toEqual(after(minute));
    const later = await issued(account, after(3 * hour));
    await sql('UPDATE sign_in_codes SET wrong_tries = 1, last_wrong_at = $2 WHERE id = $1', [later.id, after(3 * hour)]);
    expect(await since(after(3 * hour + minute))).toBeNull();
    await fail(account, later, after(3 * hour + 2 * minute), 1);
    expect(await since(after(3 * hour + 3 * minute))).toBeNull();
  });

  it('are one wrong try an hour once ten were made within a day, whenever codes are asked for and tried', async () => {
    const step = fc.record({ waitMs: fc.integer({ min: 0, max: 3 * hour }), delayMs: fc.integer({ min: 0, max: 9 * minute }), tries: fc.integer({ min: 0, max: 6 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const account = await mapped();
        const counted: number[] = [];
        let clock = 0;
        for (const { waitMs, delayMs, tries } of steps) {
          clock += waitMs;
          const code = await account.code(after(clock));
          clock += delayMs;
          if (code !== undefined) for (let nth = 0; nth < tries; nth += 1) if (await counts(account, code, after(clock))) counted.push(clock);
        }
        for (const [nth, at] of counted.entries()) {
          const before = counted.slice(0, nth).filter((earlier) => earlier > at - 24 * hour);
          if (before.length >= 10) expect(at - Math.max(...before)).toBeGreaterThanOrEqual(hour);
        }
      }),
      { numRuns: 8 },
    );
  });

  it('are an account\'s own', async () => {
    const [locked, free] = await Promise.all([mapped(), mapped()]);
    await fail(locked, await issued(locked, noon), noon, 5);
    await fail(locked, await issued(locked, noon), noon, 5);
    expect(await free.try(noon, (await issued(free, noon)).code)).toBeDefined();
  });
});

async function counts(account: TestAccount, code: IssuedCode, now: Date): Promise<boolean> {
  const tries = async () =>
    (await api.api.domain.database.sql<{ wrong_tries: number }>('SELECT wrong_tries FROM sign_in_codes WHERE id = $1', [code.id]))[0]?.wrong_tries;
  const before = await tries();
  await account.try(now, wrongCodeFor(code));
  return (await tries()) !== before;
}

describe('the first success of a pending student', () => {
  // Contract: students.states.first-sign-in-activates, events.student-updated
  it('makes them active, with student.updated, and only the first', async () => {
    const account = await mapped();
    const first = await account.try(noon, (await issued(account, noon)).code);
    expect(first?.user).toEqual({ id: account.id, kind: 'student', loginEmail: account.loginEmail, fullName: null, status: 'active' });
    await account.try(after(hour), (await issued(account, after(hour))).code);
    expect(await account.events()).toEqual(['student.created', 'student.updated']);
    const [row] = await api.api.domain.database.sql<{ first_signed_in_at: Date }>('SELECT first_signed_in_at FROM users WHERE id = $1', [account.id]);
    expect(row?.first_signed_in_at).toEqual(noon);
  });

  it('maps the email they named, with student.email_mapped', async () => {
    const account = await studentOf(api, institution, null);
    expect(await account.code(noon)).toBeUndefined();
    const code = await account.code(noon, 'Named.First@mail.example');
    expect(code?.to).toBe('named.first@mail.example');
    expect(await account.try(noon, code?.code ?? '')).toBeDefined();
    expect(await account.events()).toEqual(['student.created', 'student.updated', 'student.email_mapped']);
    expect((await account.code(after(minute), 'other@mail.example'))?.to).toBe('named.first@mail.example');
  });

  it('maps nothing while the code is wrong', async () => {
    const account = await studentOf(api, institution, null);
    const code = await account.code(noon, 'never@mail.example');
    expect(await account.try(noon, code === undefined ? '' : wrongCodeFor(code))).toBeUndefined();
    expect(await account.events()).toEqual(['student.created']);
  });

  it('is a conflict, and leaves them pending, when the email they named became another person\'s', async () => {
    const account = await studentOf(api, institution, null);
    await studentOf(api, institution, 'taken@mail.example');
    const code = await account.code(noon, 'taken@mail.example');
    await expect(account.try(noon, code?.code ?? '')).rejects.toMatchObject({ code: 'conflict' });
    expect(await account.events()).toEqual(['student.created']);
  });
});

describe('a code that went to an address the account has no longer', () => {
  const remap = (account: TestAccount, personal_email: string) =>
    transact(api.api.domain, { ...institution.caller, now: after(1) }, (tx) => updateStudent(tx, account.id, { personal_email }));

  it('opens nothing when another email was mapped meanwhile', async () => {
    const account = await mapped();
    const { code } = await issued(account, noon);
    await remap(account, 'moved.here@mail.example');
    expect(await account.try(after(minute), code)).toBeUndefined();
  });

  it('opens nothing when the student named one address and another was mapped meanwhile', async () => {
    const account = await studentOf(api, institution, null);
    const code = await account.code(noon, 'stranger@mail.example');
    await remap(account, 'real.owner@mail.example');
    expect(await account.try(after(minute), code?.code ?? '')).toBeUndefined();
  });

  it('still opens a session when the very address it went to was mapped meanwhile', async () => {
    const account = await studentOf(api, institution, null);
    const code = await account.code(noon, 'same.one@mail.example');
    await remap(account, 'same.one@mail.example');
    expect(await account.try(after(minute), code?.code ?? '')).toBeDefined();
  });
});

describe('a suspended student', () => {
  const suspend = (account: TestAccount) => transact(api.api.domain, { ...institution.caller, now: noon }, (tx) => suspendStudent(tx, account.id));

  it('is given no code, and a code given before opens nothing', async () => {
    const account = await mapped();
    const { code } = await issued(account, noon);
    await suspend(account);
    expect(await account.try(noon, code)).toBeUndefined();
    expect(await account.code(after(minute))).toBeUndefined();
  });

  it('who was reactivated before ever signing in becomes active at the first success', async () => {
    const account = await mapped();
    await suspend(account);
    await transact(api.api.domain, { ...institution.caller, now: noon }, (tx) => reactivateStudent(tx, account.id));
    expect((await account.try(noon, (await issued(account, noon)).code))?.user.status).toBe('active');
  });
});
