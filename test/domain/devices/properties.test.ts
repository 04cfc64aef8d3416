import fc from 'fast-check';
import type { AppName } from '../../../db/repositories/devices/seats';
import { recordHeartbeat } from '../../../domain/devices/recordHeartbeat';
import { revokeSeat } from '../../../domain/devices/revokeSeat';
import type { Transaction } from '../../../domain/context';
import { resumeLicense, suspendLicense } from '../../../domain/licenses/suspendLicense';
import { endSession } from '../../../domain/signIn/sessions';
import { reactivateStudent, suspendStudent } from '../../../domain/students/changeStatus';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { newStudent, type Person } from '../../support/devices';
import { signInToApp, activeSeats, liveSessions } from '../../support/seatSignIn';
import { SeatModel } from '../../support/seatModel';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const apps: readonly AppName[] = ['svcapp', 'svccode', 'svcfilm'];
const lot = fc.nat({ max: 9 });
const newStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant('signIn' as const), app: fc.constantFrom(...apps), device: fc.constantFrom('a', 'b', 'c', 'd') }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('signOut' as const, 'revoke' as const, 'beat' as const), lot }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('suspendLicense' as const, 'resumeLicense' as const, 'suspendAndReactivate' as const) }) },
);
type Step = typeof newStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Everything that a run of steps works on. */
interface Run {
  person: Person;
  model: SeatModel;
  /** Every session that was opened, the oldest first. */
  sessions: string[];
  isSuspended: boolean;
  tx: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
}

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];

async function signIn(run: Run, app: AppName, device: string, now: Date): Promise<void> {
  const session = await signInToApp(api, institution, run.person.id, app, device, now);
  expect(session === 'suspended').toBe(run.isSuspended);
  if (run.isSuspended) return;
  run.sessions.push(session);
  run.model.signIn({ app, device, session });
}

async function onSession(run: Run, does: 'signOut' | 'revoke' | 'beat', at: number): Promise<void> {
  const { model, tx, person } = run;
  if (does === 'revoke') {
    const seat = pick(await activeSeats(api, person.id), at);
    if (seat === undefined) return;
    await tx((one) => revokeSeat(one, person.license.id, seat.id));
    model.signOut(seat.session_id);
    return;
  }
  // Live ones and ended ones: what has ended must neither come back nor end anything else.
  const session = pick(run.sessions, at);
  if (session === undefined) return;
  if (does === 'beat') await tx((one) => recordHeartbeat(one, { userId: person.id, sessionId: session, appVersion: `1.0.${at}` }));
  else {
    await tx((one) => endSession(one, session));
    model.signOut(session);
  }
}

async function take(run: Run, step: Step, now: Date): Promise<void> {
  const { person, tx } = run;
  if (step.does === 'signIn') return signIn(run, step.app, step.device, now);
  if ('lot' in step) return onSession(run, step.does, step.lot);
  if (step.does === 'suspendAndReactivate') {
    await tx((one) => suspendStudent(one, person.id));
    await tx((one) => reactivateStudent(one, person.id));
    run.model.endAll();
    return;
  }
  await tx((one) => (step.does === 'suspendLicense' ? suspendLicense : resumeLicense)(one, person.license.id));
  run.isSuspended = step.does === 'suspendLicense';
}

it('however devices sign in, out and are revoked: each app holds its two newest, each seat a live session, and no ended one comes back', async () => {
  let evictions = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(newStep, { minLength: 10, maxLength: 30 }), async (steps) => {
      const begun = Date.now();
      let seconds = 0;
      const at = (): Date => new Date(begun + seconds * 1_000);
      const run: Run = {
        person: await newStudent(api, institution),
        model: new SeatModel(),
        sessions: [],
        isSuspended: false,
        tx: (work) => transact(api.api.domain, systemCaller(institution.id, at()), work),
      };
      for (const step of steps) {
        seconds += 1;
        await take(run, step, at());
        const held = await activeSeats(api, run.person.id);
        for (const app of apps) {
          const really = held.filter((seat) => seat.app === app).map(({ device_id, session_id }) => [device_id, session_id]);
          expect([step, app, really]).toEqual([step, app, run.model.of(app).map(({ device, session }) => [device, session])]);
        }
        expect((await liveSessions(api, run.person.id)).sort()).toEqual([...run.model.live].sort());
      }
      const [ended] = await api.api.domain.database.sql<{ count: number }>("SELECT count(*)::int AS count FROM seats WHERE user_id = $1 AND status = 'evicted'", [run.person.id]);
      evictions += ended?.count ?? 0;
    }),
    { numRuns: 25 },
  );
  expect(evictions).toBeGreaterThan(10);
});
