import { newCode } from '../../domain/coupons/codes';
import { newId } from '../../domain/ids';
import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { startTestApi, systemCaller, type TestApi, type TestInstitution } from '../support/api';
import { eventsOf } from '../support/events';
import { seedStudents } from '../support/seed/students';
import { MeritModel, type LedgerLine, type Outcome } from '../support/meritModel';
import { sendMoneyCall, nextCall, type MoneyCall, type MoneyInputs, type MoneyResult, type MoneyTarget } from '../support/moneyCalls';
import { callsByMove, outOfOrder, ledgerStates, unexplainedCalls, type ListedMove } from '../support/moneyReplay';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { seededRandom } from '../support/seededRandom';

const clients = 50;
const forMs = 20_000;
const openingCents = 5_000;
const couponCents = 130;
/** However slow the machine is, the client that is alone calls so often. */
const leastCalls = 200;

let api: TestApi;
let programs: Programs;
let processes: Program[];

beforeAll(async () => {
  api = await startTestApi();
  programs = openPrograms();
  processes = [await programs.api(api.settings), await programs.api(api.settings)];
});

afterAll(async () => {
  await programs.end();
  await api.stop();
});

/** The codes of an approved batch of so many coupons, each worth {@link couponCents}. */
async function coupons(institution: TestInstitution, total: number): Promise<string[]> {
  const codes = Array.from({ length: total }, newCode);
  await api.api.domain.database.sql(
    `WITH batch AS (
       INSERT INTO coupon_batches (id, institution_id, name, total_coupons, value_cents, expiry_date, status, decision, decided_at, codes_made, created_at, updated_at)
       VALUES ($1, $2, 'Prizes', $3, $4, '2099-01-01', 'approved', 'approved', now(), $3, now(), now())
     )
     INSERT INTO coupons (batch_id, number, institution_id, code) SELECT $1, nth, $2, code FROM unnest($5::text[]) WITH ORDINALITY AS c (code, nth)`,
    [newId('cpb'), institution.id, total, couponCents, codes],
  );
  return codes;
}

/** An institution with people at their apps, coupons and so many keys. */
async function open(people: number, prizes: number, keys: number): Promise<{ institution: TestInstitution; till: MoneyTarget; stock: MoneyInputs }> {
  const institution = await api.institution();
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: openingCents } });
  const ids = await seedStudents(api, institution, people);
  const session = async (id: string): Promise<[string, string]> => {
    const { token } = await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, id, 'student'));
    return [id, token];
  };
  const till = {
    processes,
    institutionId: institution.id,
    keys: await Promise.all(Array.from({ length: keys }, () => api.keyFor(institution, ['merits:write']))),
    platformToken: api.settings.platformToken,
    sessions: new Map(await Promise.all(ids.map(session))),
  };
  return { institution, till, stock: { people: ids, codes: await coupons(institution, prizes) } };
}

/** Every move, the oldest first, page by page as an integrator reads them. */
async function ledgerOf({ apiKey: key }: TestInstitution): Promise<ListedMove[]> {
  const items: ListedMove[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const { data } = await api.call('GET', '/merits/ledger', { key, query: { page, limit: 200 } });
    items.push(...data.items);
    more = data.has_more;
  }
  return items.reverse();
}

/** What the API says at the end of allowance and wallets. */
async function moneyOf({ apiKey: key }: TestInstitution, { people }: MoneyInputs) {
  const { data } = await api.call('GET', '/merits/allowance', { key });
  const wallets = await Promise.all(people.map(async (id): Promise<[string, number]> => [id, (await api.call('GET', `/merits/wallets/${id}`, { key })).data.balance_cents]));
  return { ...data, wallets: new Map(wallets.filter(([, cents]) => cents > 0)) };
}

/** How often each answer came: the words of what was asked and of what came of it. */
function tally(results: readonly MoneyResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { call, status, error, applied } of results) {
    const kind = `${call.does} ${error ?? (applied === false ? 'again' : status)}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

const outcomeOf = ({ error, balance, allowance, applied }: MoneyResult): Outcome =>
  error ?? { wallet: balance ?? Number.NaN, allowance: allowance ?? null, applied: applied ?? true };

/** What the contract says to one call after the other. */
function predict(model: MeritModel, ask: MoneyCall): Outcome | undefined {
  if (ask.does === 'allow') {
    model.allow(ask.cents);
    return undefined;
  }
  return ask.does === 'redeem' ? model.redeem(ask.person, ask.code, couponCents) : model[ask.does](ask);
}

const withinTime = (): (() => boolean) => {
  const end = performance.now() + forMs;
  return () => performance.now() < end;
};

/** Fifty clients at one institution, each a call after the other. */
async function concurrent(till: MoneyTarget, stock: MoneyInputs): Promise<MoneyResult[]> {
  const goOn = withinTime();
  const asked = { requests: [], redeems: 0 };
  const results: MoneyResult[] = [];
  const client = async (_one: unknown, nth: number): Promise<void> => {
    const random = seededRandom(nth + 1);
    for (let calls = nth; goOn(); calls += 1) results.push(await sendMoneyCall(till, calls, nextCall(stock, asked, random)));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return results;
}

/** One client alone at an institution: each answer must be the one that the model predicts. */
async function alone(till: MoneyTarget, stock: MoneyInputs): Promise<{ results: MoneyResult[]; model: MeritModel }> {
  const goOn = withinTime();
  const asked = { requests: [], redeems: 0 };
  const model = new MeritModel();
  model.allow(openingCents);
  const results: MoneyResult[] = [];
  const random = seededRandom(4711);
  while (goOn() || results.length < leastCalls) {
    const ask = nextCall(stock, asked, random);
    const one = await sendMoneyCall(till, results.length, ask);
    const predicted = predict(model, ask);
    results.push(one);
    expect([results.length, ask, ask.does === 'allow' ? one.status : outcomeOf(one)]).toEqual([results.length, ask, ask.does === 'allow' ? 200 : predicted]);
  }
  return { results, model };
}

const lineOf = ({ kind, user_id, amount_cents, balance_cents, allowance_cents, ref }: ListedMove): LedgerLine => [kind, user_id, amount_cents, balance_cents, allowance_cents, ref];

it('50 clients credit, spend and redeem at random for 20 s: no cent is lost or made, every ref moves once, and each rejection is due; a single client gets what the contract predicts', async () => {
  const [many, one] = await Promise.all([open(12, 1_500, 6), open(3, 400, 1)]);
  const [results, lonely] = await Promise.all([concurrent(many.till, many.stock), alone(one.till, one.stock)]);

  const moves = await ledgerOf(many.institution);
  const all = ledgerStates(moves);
  const { granted, credited, allowance, wallets } = all.at(-1) ?? { granted: 0, credited: 0, allowance: 0, wallets: new Map() };
  expect(await moneyOf(many.institution, many.stock)).toEqual({
    allowance_cents: allowance, granted_cents: granted, credited_cents: credited, wallets: new Map([...wallets].filter(([, cents]) => cents > 0)),
  });
  expect(granted).toBe(allowance + credited);

  const makers = callsByMove(results);
  const ofClients = moves.filter(({ kind }) => kind !== 'grant' && kind !== 'reclaim');
  expect([...makers.keys()].sort()).toEqual(ofClients.map(({ id }) => id).sort());
  expect(ofClients.filter(({ id, balance_cents }) => makers.get(id)?.balance !== balance_cents)).toEqual([]);
  expect(outOfOrder(moves, makers)).toEqual([]);
  expect(unexplainedCalls(results, moves, all)).toEqual([]);

  const events = (await eventsOf(api, many.institution)).filter(({ type }) => type === 'merits.credited');
  const comings = moves.filter(({ kind }) => kind === 'credit' || kind === 'coupon');
  expect(events.map(({ data }) => data)).toEqual(
    comings.map(({ user_id, amount_cents, balance_cents, kind, ref }) => ({ user_id, amount_cents, balance_cents, source: kind, ref })),
  );
  const redeemed = await api.api.domain.database.sql(
    `SELECT 1 FROM coupons c LEFT JOIN merit_moves m ON m.batch_id = c.batch_id AND m.coupon_number = c.number
      WHERE c.institution_id = $1 AND (c.redeemed_by, c.redeemed_at) IS DISTINCT FROM (m.user_id, m.created_at)`,
    [many.institution.id],
  );
  expect(redeemed).toEqual([]);

  expect((await ledgerOf(one.institution)).map(lineOf)).toEqual(lonely.model.ledger);
  expect(await moneyOf(one.institution, one.stock)).toMatchObject({ allowance_cents: lonely.model.allowance, credited_cents: lonely.model.credited });

  // What must have happened, or the above would show little.
  for (const counts of [tally(results), tally(lonely.results)]) {
    const kinds = ['credit 200', 'credit again', 'credit conflict', 'credit insufficient_allowance', 'spend 200', 'spend again', 'spend conflict', 'redeem 200', 'redeem conflict', 'allow 200'];
    expect(Object.keys(counts).sort()).toEqual(kinds.sort());
  }
});
