/** A credit or spend under a ref, as the contract distinguishes them. */
export interface MoneyRequest {
  person: string;
  amount: number;
  reason: string | null;
  ref: string;
}

/** What a request comes to: the balances after its move and whether it made it, or the code of its error. */
export type Outcome = { wallet: number; allowance: number | null; applied: boolean } | string;

/** A line of the ledger: its kind, its amount, and what its sides held after it. */
export type LedgerLine = [kind: string, person: string | null, amount: number, wallet: number | null, allowance: number | null, ref: string | null];

type AppliedMove = { kind: string; allowance: number | null; wallet: number } & MoneyRequest;

/** What a ref is unique in: that of a credit in the institution, that of a spend in the wallet. */
const refOf = (kind: string, { person, ref }: MoneyRequest): string => (kind === 'spend' ? `spend ${person} ${ref}` : `${kind} ${ref}`);

/** The contract's rules of money, without a database: one institution's allowance, wallets and ledger. */
export class MeritModel {
  allowance = 0;
  credited = 0;
  readonly wallets = new Map<string, number>();
  readonly suspended = new Set<string>();
  readonly ledger: LedgerLine[] = [];
  private readonly redeemed = new Set<string>();
  private readonly refs = new Map<string, AppliedMove>();

  /** What a person's wallet holds. */
  balance(person: string): number {
    return this.wallets.get(person) ?? 0;
  }

  allow(cents: number): void {
    const difference = cents - this.allowance;
    this.allowance = cents;
    if (difference !== 0) this.ledger.push([difference > 0 ? 'grant' : 'reclaim', null, Math.abs(difference), null, cents, null]);
  }

  credit(request: MoneyRequest): Outcome {
    return this.once('credit', request, () => {
      if (this.suspended.has(request.person)) return 'user_inactive';
      if (request.amount > this.allowance) return 'insufficient_allowance';
      this.allowance -= request.amount;
      this.credited += request.amount;
      return this.move('credit', request, request.amount, this.allowance);
    });
  }

  spend(request: MoneyRequest): Outcome {
    return this.once('spend', request, () => {
      if (this.suspended.has(request.person)) return 'user_inactive';
      if (request.amount > this.balance(request.person)) return 'conflict';
      return this.move('spend', request, -request.amount, null);
    });
  }

  /** A coupon's value comes into a wallet, once; the allowance stays as it is. */
  redeem(person: string, code: string, value: number): Outcome {
    if (this.redeemed.has(code)) return 'conflict';
    this.redeemed.add(code);
    const wallet = this.balance(person) + value;
    this.wallets.set(person, wallet);
    this.ledger.push(['coupon', person, value, wallet, null, null]);
    return { wallet, allowance: null, applied: true };
  }

  private once(kind: string, request: MoneyRequest, act: () => AppliedMove | string): Outcome {
    const earlier = this.refs.get(refOf(kind, request));
    const same = earlier?.person === request.person && earlier.amount === request.amount && earlier.reason === request.reason;
    if (earlier !== undefined && !same) return 'conflict';
    const moved = earlier ?? act();
    if (typeof moved === 'string') return moved;
    return { wallet: moved.wallet, allowance: moved.allowance, applied: earlier === undefined };
  }

  private move(kind: string, request: MoneyRequest, change: number, allowance: number | null): AppliedMove {
    const wallet = this.balance(request.person) + change;
    this.wallets.set(request.person, wallet);
    this.ledger.push([kind, request.person, request.amount, wallet, allowance, request.ref]);
    const moved = { kind, allowance, wallet, ...request };
    this.refs.set(refOf(kind, request), moved);
    return moved;
  }
}
