import { invalid } from '../../../domain/errors';
import { cutPath, unknownField } from './issues';

/** Arrays and objects within each other, the body itself being the first. */
export const maxDepth = 32;

/** Values in all, whether fields or items. */
export const maxValues = 25_000;

/** An array or object on the way, with the field or item that leads to it. */
interface Place {
  value: object;
  name: string;
  parent: Place | undefined;
}

/** The dotted path of a field, cut where it grows longer than any answer wants. */
function pathTo(parent: Place, name: string): string {
  const names = [name];
  for (let at = parent; at.parent !== undefined; at = at.parent) names.unshift(at.name);
  return cutPath(names.join('.'));
}

/**
 * Refuses a parsed body that holds more than 25,000 values, or in which a field is called `__proto__`, which the
 * validator would drop unseen: `validation_error` with the first offence alone.
 */
export function requireShape(body: object): void {
  const waiting: Place[] = [{ value: body, name: '', parent: undefined }];
  let values = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value } = place;
    const parts: [string, unknown][] = Object.entries(value);
    values += parts.length;
    if (values > maxValues) throw invalid({ path: 'body', message: `must hold at most ${maxValues} values` });
    for (const [name, part] of parts) {
      if (name === '__proto__') throw invalid(unknownField(pathTo(place, name)));
      if (typeof part !== 'object' || part === null) continue;
      waiting.push({ value: part, name, parent: place });
    }
  }
}
