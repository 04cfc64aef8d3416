import { eventTypes } from '../eventTypes';

/** How many characters have to be put in, left out or replaced to make one text of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 0; line < one.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (row[column] ?? 0) + (one[line] === other[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the type that was probably meant; undefined if none is near. */
function nearestType(name: string): string | undefined {
  const [nearest] = eventTypes.map((type) => ({ type, away: distance(name, type) })).sort((a, b) => a.away - b.away);
  return nearest !== undefined && nearest.away <= 3 ? nearest.type : undefined;
}

/** A function whose call runs none of it. */
const isGenerator = (given: object): boolean => Object.prototype.toString.call(given).includes('Generator');

function requireFunction(name: string, given: unknown): void {
  if (typeof given !== 'function') throw new TypeError(`${name} must be a function`);
  if (isGenerator(given)) throw new TypeError(`${name} must not be a generator function: nothing would run it`);
}

function requireType(name: string): void {
  if (eventTypes.some((type) => type === name)) return;
  if (name.includes('*')) throw new TypeError(`on takes exact types, and "${name}" is a pattern: onEvent gets all events that on does not name`);
  const nearest = nearestType(name);
  throw new TypeError(`on: this client knows no event type "${name}"${nearest === undefined ? ':' : `; did you mean ${nearest}?`} onEvent gets those of later releases`);
}

/** Throws a TypeError for functions that would never get an event, so that none is lost without a word. */
export function requireHandlers(on: unknown, onEvent: unknown): void {
  if (typeof on !== 'object' || on === null) throw new TypeError('on must be an object with a function for each type');
  const named = Object.entries(on);
  if (named.length === 0 && onEvent === undefined) throw new TypeError('give on or onEvent: without a function every event would be answered 204 and lost');
  if (onEvent !== undefined) requireFunction('onEvent', onEvent);
  for (const [name, handler] of named) {
    requireType(name);
    requireFunction(`on["${name}"]`, handler);
  }
}
