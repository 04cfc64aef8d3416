import type ts from 'typescript';

/** Stands for what is known only when the program runs. */
export const unknown = Symbol('unknown');

/** A function of the source with the values of the names around it. */
export interface Closure {
  node: ts.FunctionLikeDeclaration;
  scope: Scope;
}

/** What an expression can be: a text or number, a list, an object by its keys, a function. */
export type Value = string | number | boolean | undefined | typeof unknown | Value[] | ReadonlyMap<string, Value> | Closure;

/** Parameters by symbol, as a function was called with them. */
export type Scope = ReadonlyMap<ts.Symbol, Value>;

/** Calls a function of the source; answers all that it may answer. */
export type Call = (called: Value, given: readonly Value[]) => Value[];

/** More ways to combine values than this are not followed. */
const maxCombinations = 500;

export const isClosure = (value: Value): value is Closure => typeof value === 'object' && 'node' in value;

const isText = (value: Value): value is string | number => typeof value === 'string' || typeof value === 'number';

/** All ways to take one value of each list. */
export function combinations(lists: readonly Value[][]): Value[][] {
  let found: Value[][] = [[]];
  for (const list of lists) {
    found = found.flatMap((before) => list.map((value) => [...before, value]));
    if (found.length > maxCombinations) return [lists.map(() => unknown)];
  }
  return found;
}

function callOfList(list: readonly Value[], method: string, [first, second]: readonly Value[], call: Call): Value[] | undefined {
  if (method === 'slice') return typeof first === 'number' && typeof second === 'number' ? [list.slice(first, second)] : undefined;
  if (method === 'reduce') return list.reduce<Value[]>((found, value) => found.flatMap((before) => call(first, [before, value])), [second]);
  if (method === 'map') return combinations(list.map((value, nth) => call(first, [value, nth])));
  // What may be kept is kept: all conditions of a list stand in its statement then.
  if (method === 'filter') return [list.filter((value, nth) => call(first, [value, nth]).some((kept) => kept !== false))];
  if (method === 'join') return [list.every(isText) ? list.join(typeof first === 'string' ? first : ',') : unknown];
  return undefined;
}

function callOfText(text: string, method: string, [first, second]: readonly Value[]): Value[] | undefined {
  if (typeof first !== 'string' || typeof second !== 'string') return undefined;
  if (method === 'replaceAll') return [text.replaceAll(first, () => second)];
  if (method === 'replace') return [text.replace(first, () => second)];
  return undefined;
}

/** What a method of a list or a text answers; undefined for others. */
export function callMethod(of: Value, method: string, given: readonly Value[], call: Call): Value[] | undefined {
  if (Array.isArray(of)) return callOfList(of, method, given, call);
  return typeof of === 'string' ? callOfText(of, method, given) : undefined;
}
