import type { MoneyRequest } from './meritModel';

/** What a client can ask of an institution's money. */
export type MoneyCall =
  | ({ does: 'credit' | 'spend' } & MoneyRequest)
  | { does: 'redeem'; person: string; code: string }
  | { does: 'allow'; cents: number };

/** What it was answered, and when: the service acted between `began` and `ended`. */
export interface MoneyResult {
  call: MoneyCall;
  began: number;
  ended: number;
  status: number;
  /** The code of an error response. */
  error: string | undefined;
  /** Of a move. */
  id: string | undefined;
  balance: number | undefined;
  allowance: number | undefined;
  applied: boolean | undefined;
}

/** Where the money of an institution is asked for: the processes of the API, its keys, the sessions of its students. */
export interface MoneyTarget {
  processes: readonly { baseUrl: string; internalUrl: string }[];
  institutionId: string;
  keys: readonly string[];
  platformToken: string;
  sessions: ReadonlyMap<string, string>;
}

interface Request {
  method: string;
  url: string;
  token: string;
  body: object;
}

const pick = <Item>(items: readonly Item[], nth: number): Item => {
  const item = items[nth % items.length];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

function requestOf(till: MoneyTarget, nth: number, ask: MoneyCall): Request {
  const { baseUrl, internalUrl } = pick(till.processes, nth);
  const app = (path: string, person: string, body: object): Request => ({ method: 'POST', url: `${internalUrl}/platform/v1${path}`, token: till.sessions.get(person) ?? '', body });
  if (ask.does === 'allow') {
    const url = `${internalUrl}/platform/v1/institutions/${till.institutionId}/allowance`;
    return { method: 'PUT', url, token: till.platformToken, body: { allowance_cents: ask.cents } };
  }
  if (ask.does === 'redeem') return app('/app/wallet/redeem', ask.person, { code: ask.code });
  const body = { amount_cents: ask.amount, reason: ask.reason, ref: ask.ref };
  if (ask.does === 'spend') return app('/app/wallet/spend', ask.person, body);
  return { method: 'POST', url: `${baseUrl}/merits/credits`, token: pick(till.keys, nth), body: { email: ask.person, ...body } };
}

/** Asks once, at the nth of the processes and with the nth of the keys. */
export async function sendMoneyCall(till: MoneyTarget, nth: number, call: MoneyCall): Promise<MoneyResult> {
  const { method, url, token, body } = requestOf(till, nth, call);
  const began = performance.now();
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { error, data }: { error?: string; data?: { id: string; balance_cents?: number; allowance_cents?: number; applied?: boolean } } = JSON.parse(await response.text());
  const ended = performance.now();
  const { id, balance_cents: balance, allowance_cents: allowance, applied } = data ?? {};
  return { call, began, ended, status: response.status, error, id, balance, allowance, applied };
}

/** Whom a client moves money for, and what moves. */
export interface MoneyInputs {
  people: readonly string[];
  /** Coupons; each is tried about three times, by any student. */
  codes: readonly string[];
}

/** What all clients of an institution have asked so far, so that they can ask the same again. */
export interface CallHistory {
  requests: ({ does: 'credit' | 'spend' } & MoneyRequest)[];
  redeems: number;
}

/** One of this many newest requests is repeated: often one still in progress. */
const recentCalls = 60;

function repeatCall({ requests }: CallHistory, random: () => number): MoneyCall | undefined {
  const earlier = requests.at(-1 - Math.floor(random() * Math.min(recentCalls, requests.length)));
  if (earlier === undefined) return undefined;
  return random() < 0.8 ? earlier : { ...earlier, amount: earlier.amount + 1 };
}

/** The next thing that a client asks, by chance. */
export function nextCall({ people, codes }: MoneyInputs, asked: CallHistory, random: () => number): MoneyCall {
  const whole = (below: number): number => Math.floor(random() * below);
  const person = pick(people, whole(people.length));
  const chance = random();
  const repeated = chance < 0.3 ? repeatCall(asked, random) : undefined;
  if (repeated !== undefined) return repeated;
  if (chance < 0.34) return { does: 'allow', cents: whole(6_000) };
  if (chance < 0.5) {
    asked.redeems += 1;
    return { does: 'redeem', person, code: pick(codes, Math.floor(asked.redeems / 3) + whole(2)) };
  }
  const does = chance < 0.75 ? 'credit' : 'spend';
  const request = { does, person, amount: 1 + whole(900), reason: null, ref: `r${asked.requests.length}` } as const;
  asked.requests.push(request);
  return request;
}
