import type { MoneyResult } from './moneyCalls';

/** A move as `GET /merits/ledger` lists it. */
export interface ListedMove {
  id: string;
  kind: string;
  user_id: string | null;
  amount_cents: number;
  balance_cents: number | null;
  allowance_cents: number | null;
  ref: string | null;
}

/** What a move of so many cents does to the allowance and to the wallet that takes part. */
const signs: Readonly<Record<string, { allowance: number; wallet: number }>> = {
  grant: { allowance: 1, wallet: 0 },
  reclaim: { allowance: -1, wallet: 0 },
  credit: { allowance: -1, wallet: 1 },
  coupon: { allowance: 0, wallet: 1 },
  spend: { allowance: 0, wallet: -1 },
};

/** An institution's money after some first moves of its ledger. */
export interface LedgerState {
  allowance: number;
  granted: number;
  credited: number;
  wallets: ReadonlyMap<string, number>;
}

/**
 * How the money stood after each number of moves, the oldest first, by their amounts alone. Throws where a move says
 * another balance than they add up to, one falls below zero, or a ref moves twice.
 */
export function ledgerStates(moves: readonly ListedMove[]): LedgerState[] {
  const refs = new Set<string>();
  const all: LedgerState[] = [{ allowance: 0, granted: 0, credited: 0, wallets: new Map() }];
  let now: LedgerState = { allowance: 0, granted: 0, credited: 0, wallets: new Map() };
  for (const move of moves) {
    const sign = signs[move.kind];
    if (sign === undefined) throw new Error(`The ledger has a move of kind ${move.kind}`);
    const change = sign.allowance * move.amount_cents;
    const owner = move.user_id ?? '';
    const wallet = (now.wallets.get(owner) ?? 0) + sign.wallet * move.amount_cents;
    now = {
      allowance: now.allowance + change,
      granted: now.granted + (move.kind === 'credit' ? 0 : change),
      credited: now.credited + (move.kind === 'credit' ? move.amount_cents : 0),
      wallets: sign.wallet === 0 ? now.wallets : new Map(now.wallets).set(owner, wallet),
    };
    const results = [move.allowance_cents, move.balance_cents];
    const added = [sign.allowance === 0 ? null : now.allowance, sign.wallet === 0 ? null : wallet];
    if (results.join() !== added.join()) throw new Error(`After ${move.id} there must be ${added.join()}, and it says ${results.join()}`);
    if (now.allowance < 0 || wallet < 0) throw new Error(`${move.id} draws below zero`);
    const ref = `${move.kind} ${move.kind === 'spend' ? owner : ''} ${move.ref}`;
    if (move.ref !== null && refs.has(ref)) throw new Error(`${ref} has moved twice`);
    refs.add(ref);
    all.push(now);
  }
  return all;
}

/** The responses of the calls that made a move, by its id; throws if two calls made the same one. */
export function callsByMove(results: readonly MoneyResult[]): Map<string, MoneyResult> {
  const makers = new Map<string, MoneyResult>();
  for (const one of results) {
    if (one.status !== 200 || one.call.does === 'allow' || one.applied === false) continue;
    if (one.id === undefined || makers.has(one.id)) throw new Error(`Two calls were answered that they made ${one.id}`);
    makers.set(one.id, one);
  }
  return makers;
}

/** Moves that the ledger lists before a move whose response arrived before they were requested. */
export function outOfOrder(moves: readonly ListedMove[], makers: ReadonlyMap<string, MoneyResult>): ListedMove[] {
  let earliestEnd = Infinity;
  return moves.toReversed().filter(({ id }) => {
    const maker = makers.get(id);
    if (maker === undefined) return false;
    const late = maker.began > earliestEnd;
    earliestEnd = Math.min(earliestEnd, maker.ended);
    return late;
  });
}

/** Whether a move is one that a request under its ref would repeat or clash with: of a spend, one of the same wallet. */
const sharesRef = ({ kind, ref, user_id }: ListedMove, asked: { does: string; person: string; ref: string }): boolean =>
  kind === asked.does && ref === asked.ref && (kind === 'credit' || user_id === asked.person);

/** What is held against a call: which numbers of moves can have been in the ledger as the service decided on it. */
class CallWindow {
  private readonly from: number;
  private readonly to: number;

  constructor(private readonly result: MoneyResult, private readonly moves: readonly ListedMove[], makers: ReadonlyMap<string, MoneyResult>, private readonly all: readonly LedgerState[]) {
    const done = moves.findLastIndex(({ id }) => (makers.get(id)?.ended ?? Infinity) < result.began);
    const after = moves.findIndex(({ id }) => (makers.get(id)?.began ?? -Infinity) > result.ended);
    this.from = done + 1;
    this.to = after === -1 ? moves.length : after;
  }

  /** Whether a move of that kind can have been there by then. */
  hadMove(test: (move: ListedMove) => boolean): boolean {
    return this.moves.slice(0, this.to).some(test);
  }

  /** Whether the money can have stood so, before the call's own ref moved anything. */
  hadState(test: (standing: LedgerState) => boolean): boolean {
    const { call } = this.result;
    const own = 'ref' in call ? this.moves.findIndex((move) => sharesRef(move, call)) : -1;
    return this.all.slice(this.from, Math.min(this.to, own === -1 ? Infinity : own) + 1).some(test);
  }
}

/**
 * Calls whose response is inconsistent with the ledger at every time between call and response: a repeat of a move that did
 * not exist, a rejection although there was enough money, a conflict with nothing.
 */
export function unexplainedCalls(results: readonly MoneyResult[], moves: readonly ListedMove[], all: readonly LedgerState[]): MoneyResult[] {
  const makers = callsByMove(results);
  const byCode = new Map([...makers].flatMap(([id, { call }]) => (call.does === 'redeem' ? [[call.code, id]] : [])));
  const isExplained = (one: MoneyResult): boolean => {
    const { call, status, error, applied, id } = one;
    if (call.does === 'allow') return status === 200;
    const moment = new CallWindow(one, moves, makers, all);
    if (call.does === 'redeem') return status === 200 || (error === 'conflict' && moment.hadMove((move) => move.id === byCode.get(call.code)));
    const { does, person, amount, ref } = call;
    const same = (move: ListedMove): boolean => move.user_id === person && move.amount_cents === amount;
    if (status === 200) return applied === true || moment.hadMove((move) => move.id === id && move.kind === does && move.ref === ref && same(move));
    if (error === 'insufficient_allowance') return does === 'credit' && moment.hadState(({ allowance }) => allowance < amount);
    const taken = moment.hadMove((move) => sharesRef(move, call) && !same(move));
    return error === 'conflict' && (taken || (does === 'spend' && moment.hadState(({ wallets }) => (wallets.get(person) ?? 0) < amount)));
  };
  return results.filter((one) => !isExplained(one));
}
