import { isWholeId } from '../../lib/typeId';

/** Returns the ids in the data of a stored event by the names of their fields: what it is about, and nothing else of its content. */
export function idsInEvent(body: string): Record<string, string> {
  const envelope: unknown = JSON.parse(body);
  const data: unknown = typeof envelope === 'object' && envelope !== null ? Reflect.get(envelope, 'data') : undefined;
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter((field): field is [string, string] => typeof field[1] === 'string' && isWholeId(field[1])));
}
