import { suspendStudent } from '../../../domain/students/changeStatus';
import { transact } from '../../../domain/transact';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { eventsDuring } from '../../support/events';
import { eventually } from '../../support/eventually';
import { appFixture } from '../../support/appFixture';
import { meritCalls, newRef, type WalletOwner } from '../../support/meritCalls';

const fixture = appFixture();
const { api, institution, sql, call } = fixture;
const merits = meritCalls(fixture);
const { setAllowance, createOwner, balance, remainingAllowance, creditSuccessfully, spend, moveCount, createGuardian } = merits;
let ada: WalletOwner;

beforeEach(async () => {
  await setAllowance(10_000);
  ada = await createOwner();
});

const suspend = (id: string) => call('POST', `/students/${id}/suspend`);
const codesOf = (answers: readonly { status: number; body: { error?: string } }[]) => answers.map(({ status, body }) => body.error ?? status);

describe('a credit', () => {
  // Contract: service.purpose.credit-merits, merits.amounts.integer-cents, merits.allowance.drawn-by-credits, merits.credit.applied-flag
  // Contract: merits.credit.body, merits.credit.response
  it('moves cents from the allowance to the wallet, and returns both new balances', async () => {
    const { status, data } = await merits.credit({ email: ada.email, amount_cents: 1_250, reason: 'Prize', ref: 'prize-1' });
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^mov_/),
      email: ada.email,
      user_id: ada.id,
      amount_cents: 1_250,
      balance_cents: 1_250,
      allowance_cents: 8_750,
      reason: 'Prize',
      ref: 'prize-1',
      applied: true,
      created_at: expect.any(String),
    });
    expect([await balance(ada.email), await remainingAllowance()]).toEqual([1_250, 8_750]);
  });

  // Contract: merits.allowance.drawn-by-credits
  it('adds to what the wallet holds', async () => {
    await creditSuccessfully({ email: ada.email, amount_cents: 300 });
    expect(await creditSuccessfully({ email: ada.email, amount_cents: 50 })).toMatchObject({ balance_cents: 350, allowance_cents: 9_650 });
  });

  it('needs no reason', async () => {
    expect(await creditSuccessfully({ email: ada.email })).toMatchObject({ reason: null });
    expect(await creditSuccessfully({ email: ada.email, reason: null })).toMatchObject({ reason: null });
  });

  it('goes to a login email in any case, and to an internal id', async () => {
    expect(await creditSuccessfully({ email: ada.email.toUpperCase() })).toMatchObject({ email: ada.email, user_id: ada.id });
    expect(await creditSuccessfully({ email: ada.id })).toMatchObject({ email: ada.email, user_id: ada.id, balance_cents: 1_000 });
  });

  // Contract: merits.wallets.one-per-user
  it('goes to faculty, the admin among them, and to students who have never signed in', async () => {
    const grace = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    const student = (await call('POST', '/students', {})).data;
    expect(student.status).toBe('pending');
    for (const [email, user_id] of [[grace.login_email, grace.id], [institution.adminLoginEmail, institution.adminId], [student.login_email, student.id]]) {
      expect(await creditSuccessfully({ email })).toMatchObject({ user_id, balance_cents: 500 });
    }
  });

  // Contract: merits.amounts.integer-cents, merits.credit.body
  it('is of 1 to 100,000,000 whole cents', async () => {
    await setAllowance(200_000_000);
    for (const amount_cents of [1, 100_000_000]) expect(await creditSuccessfully({ email: ada.email, amount_cents })).toMatchObject({ amount_cents });
    for (const amount_cents of [0, -1, 100_000_001, 1.5, '5', null]) {
      expect(errorSummary(await merits.credit({ email: ada.email, amount_cents }))).toEqual([422, 'validation_error', ['amount_cents']]);
    }
    expect(await balance(ada.email)).toBe(100_000_001);
  });

  // Contract: merits.credit.body
  it('reports every error of its body', async () => {
    const answer = await call('POST', '/merits/credits', { reason: '\u0000', ref: '', applied: true });
    expect(errorSummary(answer)).toEqual([422, 'validation_error', ['amount_cents', 'applied', 'email', 'reason', 'ref']]);
  });

  // Contract: events.merits-credited.any-source
  it('emits merits.credited with source credit', async () => {
    const events = await eventsDuring(api, institution, () => creditSuccessfully({ email: ada.email, amount_cents: 70, ref: 'one' }));
    expect(events).toEqual([{ type: 'merits.credited', data: { user_id: ada.id, amount_cents: 70, balance_cents: 70, source: 'credit', ref: 'one' } }]);
  });
});

describe('a repeat with the same body', () => {
  // Contract: merits.credit.applied-flag, merits.credit.body, merits.credit.idempotent-on-ref, idempotency.merit-credits.ref
  it('is answered as the first time with applied false, and neither draws the allowance nor emits again', async () => {
    const body = { email: ada.email, amount_cents: 400, reason: 'Prize', ref: 'again' };
    const first = await creditSuccessfully(body);
    await creditSuccessfully({ email: ada.email });
    await spend(ada);
    const events = await eventsDuring(api, institution, async () => {
      expect(await creditSuccessfully(body)).toEqual({ ...first, applied: false });
      expect(await creditSuccessfully({ ...body, email: ada.id, ref: ' again ' })).toEqual({ ...first, applied: false });
    });
    expect(events).toEqual([]);
    expect([await balance(ada.email), await remainingAllowance(), await moveCount()]).toEqual([800, 9_100, 4]);
  });

  it('is answered so though the person was suspended and the allowance emptied since', async () => {
    const body = { email: ada.email, ref: 'before' };
    const first = await creditSuccessfully(body);
    await suspend(ada.id);
    await setAllowance(0);
    expect(await creditSuccessfully(body)).toEqual({ ...first, applied: false });
  });

  // Contract: merits.credit.idempotent-on-ref, idempotency.merit-credits.ref
  it('sent 20 times at once is applied once', async () => {
    const body = { email: ada.email, ref: 'crowd' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => creditSuccessfully(body)));
    expect(answers.filter(({ applied }) => applied)).toHaveLength(1);
    expect(new Set(answers.map(({ id, created_at }) => `${id} ${created_at}`)).size).toBe(1);
    expect([await balance(ada.email), await remainingAllowance()]).toEqual([500, 9_500]);
  });
});

describe('a ref', () => {
  // Contract: merits.credit.body
  it('that stands for another person, amount or reason is a conflict, and nothing moves', async () => {
    const body = { email: ada.email, amount_cents: 400, reason: 'Prize', ref: 'taken' };
    await creditSuccessfully(body);
    const bob = await createOwner();
    const changes = [{ email: bob.email }, { amount_cents: 401 }, { reason: 'Other' }, { reason: null }];
    for (const change of changes) expect(errorSummary(await merits.credit({ ...body, ...change }))).toEqual([409, 'conflict']);
    expect([await balance(ada.email), await balance(bob.email), await remainingAllowance()]).toEqual([400, 0, 9_600]);
  });

  it('of a spend is another than that of a credit', async () => {
    await creditSuccessfully({ email: ada.email, ref: 'both' });
    expect((await spend(ada, { ref: 'both' })).data).toMatchObject({ applied: true, balance_cents: 400 });
  });

  it('of another institution is its own', async () => {
    const otherInstitution = await api.institution();
    await setAllowance(1_000, otherInstitution);
    await creditSuccessfully({ email: ada.email, ref: 'shared' });
    const { data } = await merits.credit({ email: otherInstitution.adminLoginEmail, ref: 'shared' }, otherInstitution);
    expect(data).toMatchObject({ applied: true, allowance_cents: 500 });
  });

  it('tells its case apart', async () => {
    await creditSuccessfully({ email: ada.email, ref: 'case' });
    expect(await creditSuccessfully({ email: ada.email, ref: 'CASE' })).toMatchObject({ applied: true });
  });
});

describe('user_not_found', () => {
  // Contract: errors.404.user-not-found
  it("answers an unknown login email, another institution's, and a guardian, who has no wallet", async () => {
    const otherInstitution = await api.institution();
    const guardian = await createGuardian(ada.id);
    const bodies = await Promise.all(
      ['student9.00000000@north.example', 'nobody', otherInstitution.adminLoginEmail, otherInstitution.adminId, guardian].map((email) => merits.credit({ email })),
    );
    expect(new Set(bodies.map(({ body }) => body.message))).toEqual(new Set(['No student or faculty member of this institution has this login email or id; GET /v1/students?student_id= finds a student by your identifier.']));
    expect(bodies.map(errorSummary)).toEqual(Array.from({ length: 5 }, () => [404, 'user_not_found']));
    expect(await moveCount()).toBe(1);
  });
});

describe('user_inactive', () => {
  // Contract: errors.409.user-inactive
  it('answers a credit to somebody suspended; reactivated, the same ref is credited', async () => {
    await suspend(ada.id);
    const body = { email: ada.email, ref: 'later' };
    expect(errorSummary(await merits.credit(body))).toEqual([409, 'user_inactive']);
    expect([await balance(ada.email), await remainingAllowance()]).toEqual([0, 10_000]);
    await call('POST', `/students/${ada.id}/reactivate`);
    expect(await creditSuccessfully(body)).toMatchObject({ applied: true });
  });

  it('answers a credit that met a suspension under way', async () => {
    const { met } = await transact(api.api.domain, systemCaller(institution.id), async (tx) => {
      await suspendStudent(tx, ada.id);
      const credit = merits.credit({ email: ada.email });
      await eventually('the credit waits', async () =>
        (await sql(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%institution_emails%'`)).length > 0);
      return { met: credit };
    });
    expect(errorSummary(await met)).toEqual([409, 'user_inactive']);
    expect(await moveCount()).toBe(1);
  });
});

describe('insufficient_allowance', () => {
  // Contract: merits.credit.insufficient-allowance, errors.409.insufficient-allowance, errors.conditions.credit-exceeds-allowance
  it('answers a credit of a cent more than is left, and nothing moves; all that is left can be credited', async () => {
    const events = await eventsDuring(api, institution, async () => {
      expect(errorSummary(await merits.credit({ email: ada.email, amount_cents: 10_001 }))).toEqual([409, 'insufficient_allowance']);
    });
    expect([events, await balance(ada.email), await remainingAllowance()]).toEqual([[], 0, 10_000]);
    expect(await creditSuccessfully({ email: ada.email, amount_cents: 10_000 })).toMatchObject({ allowance_cents: 0 });
    expect(errorSummary(await merits.credit({ email: ada.email, amount_cents: 1 }))).toEqual([409, 'insufficient_allowance']);
  });

  it('leaves the ref free: once there is more, the same body is credited', async () => {
    const body = { email: ada.email, amount_cents: 10_001, ref: 'wait' };
    await merits.credit(body);
    await setAllowance(10_001);
    expect(await creditSuccessfully(body)).toMatchObject({ applied: true, allowance_cents: 0 });
  });

  it('is reported after a ref taken by another credit, and after a suspended person', async () => {
    await creditSuccessfully({ email: ada.email, ref: 'taken' });
    expect(errorSummary(await merits.credit({ email: ada.email, amount_cents: 90_000, ref: 'taken' }))).toEqual([409, 'conflict']);
    await suspend(ada.id);
    expect(errorSummary(await merits.credit({ email: ada.email, amount_cents: 90_000 }))).toEqual([409, 'user_inactive']);
  });

  // Contract: merits.credit.insufficient-allowance
  it('is exactly what those of many concurrent credits get that the allowance is too small for', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => createOwner()));
    const answers = await Promise.all(Array.from({ length: 20 }, (_one, nth) => merits.credit({ email: people[nth % 5]?.email, amount_cents: 900, ref: newRef() })));
    const codes = codesOf(answers);
    expect(codes.filter((code) => code === 200)).toHaveLength(11);
    expect(codes.filter((code) => code === 'insufficient_allowance')).toHaveLength(9);
    expect(await remainingAllowance()).toBe(100);
  });
});
