import fc from 'fast-check';
import { institutionScope } from '../../../db/database';
import { readAllowance, listMoves } from '../../../db/repositories/merits/ledger';
import type { Transaction } from '../../../domain/context';
import { DomainError } from '../../../domain/errors';
import { creditWallet, type WalletMove } from '../../../domain/merits/creditWallet';
import { setAllowance } from '../../../domain/merits/setAllowance';
import { spendMerits } from '../../../domain/merits/spendMerits';
import { reactivateStudent, suspendStudent } from '../../../domain/students/changeStatus';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { eventsOf } from '../../support/events';
import { seedStudents } from '../../support/seed/students';
import { MeritModel, type LedgerLine, type Outcome } from '../../support/meritModel';
import { apiFixture } from '../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const people = fc.nat({ max: 2 });
// Few of each, so that refs come again with the same body and with another, and what is left is often just enough.
const asked = fc.record({ person: people, amount: fc.constantFrom(1, 20, 60, 100), reason: fc.constantFrom(null, null, 'Prize'), ref: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') });
const newStep = fc.oneof(
  { weight: 5, arbitrary: asked.map((request) => ({ does: 'credit' as const, request })) },
  { weight: 4, arbitrary: asked.map((request) => ({ does: 'spend' as const, request })) },
  { weight: 2, arbitrary: fc.constantFrom(0, 60, 140, 300).map((cents) => ({ does: 'allow' as const, cents })) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('suspend' as const, 'reactivate' as const), person: people }) },
);
type Step = typeof newStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps of which every fourth is an earlier one again, as clients whose answers were lost send them. */
const sequence = fc.array(fc.tuple(newStep, fc.nat({ max: 99 })), { minLength: 15, maxLength: 40 }).map((drawn) =>
  drawn.reduce<Step[]>((steps, [fresh, lot]) => [...steps, lot < 25 ? (steps[lot % steps.length] ?? fresh) : fresh], [{ does: 'allow', cents: 300 }]),
);

const outcomeOf = ({ move, applied }: WalletMove): Outcome => ({ wallet: move.wallet_cents ?? Number.NaN, allowance: move.allowance_cents, applied });

/** One step on the service and on the model: what each came to. */
async function take(step: Step, ids: readonly string[], model: MeritModel, run: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>): Promise<[really: Outcome | undefined, modelled: Outcome | undefined]> {
  const refused = (error: unknown): string => {
    if (error instanceof DomainError) return error.code;
    throw error;
  };
  const idOf = (person: number): string => ids[person] ?? '';
  if (step.does === 'allow') {
    model.allow(step.cents);
    await run((tx) => setAllowance(tx, step.cents));
    return [undefined, undefined];
  }
  if ('person' in step) {
    const id = idOf(step.person);
    model.suspended[step.does === 'suspend' ? 'add' : 'delete'](id);
    await run((tx) => (step.does === 'suspend' ? suspendStudent(tx, id) : reactivateStudent(tx, id)));
    return [undefined, undefined];
  }
  const { person, amount, reason, ref } = step.request;
  const body = { amount_cents: amount, reason, ref };
  const move = (tx: Transaction): Promise<WalletMove> =>
    step.does === 'credit' ? creditWallet(tx, { email: idOf(person), ...body }) : spendMerits(tx, idOf(person), body);
  return [await run(move).then(outcomeOf, refused), model[step.does]({ person: idOf(person), amount, reason, ref })];
}

it('for any credits, spending, allowances and suspensions, each answer, the ledger, the wallets, the allowance and the events are as the contract says', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const institution = await api.institution();
      const ids = await seedStudents(api, institution, 3);
      const { domain } = api.api;
      const { sql } = domain.database;
      const scope = institutionScope(domain.database, institution.id);
      const model = new MeritModel();
      const before = (await eventsOf(api, institution)).length;
      for (const one of steps) {
        const [really, modelled] = await take(one, ids, model, (work) => transact(domain, systemCaller(institution.id), work));
        expect([one, really]).toEqual([one, modelled]);
        const kind = `${one.does} ${typeof modelled === 'string' ? modelled : modelled?.applied}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
      const { rows } = await listMoves(scope, {}, { page: 1, limit: 200 });
      const lines = rows.reverse().map((row): LedgerLine => [row.kind, row.user_id, row.amount_cents, row.wallet_cents, row.allowance_cents, row.ref]);
      expect(lines).toEqual(model.ledger);
      expect(await readAllowance(scope)).toEqual({ balance_cents: model.allowance, credited_cents: model.credited });
      const wallets = await sql<{ user_id: string; cents: number }>('SELECT user_id, balance_cents::int AS cents FROM wallets WHERE institution_id = $1', [institution.id]);
      expect(new Map(wallets.map(({ user_id, cents }) => [user_id, cents]))).toEqual(model.wallets);
      const credited = (await eventsOf(api, institution)).slice(before).filter(({ type }) => type === 'merits.credited');
      expect(credited.map(({ data }) => data)).toEqual(
        model.ledger.filter(([kind]) => kind === 'credit').map(([, user_id, amount_cents, balance_cents, , ref]) => ({ user_id, amount_cents, balance_cents, source: 'credit', ref })),
      );
    }),
    { numRuns: 40 },
  );
  // What the steps must have come to, or they would show little.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([
    'credit true', 'credit false', 'credit conflict', 'credit insufficient_allowance', 'credit user_inactive',
    'spend true', 'spend false', 'spend conflict', 'spend user_inactive',
  ]));
});
