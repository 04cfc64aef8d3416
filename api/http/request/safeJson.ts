import { validationError } from '../../../domain/errors';
import { truncatePath, unknownFieldIssue } from './issues';

/** Arrays and objects within each other, the body itself being the first. */
export const maxDepth = 32;

/** Values in all, whether fields or items. */
export const maxValues = 25_000;

/** An array or object on the path, with the field or item that leads to it. */
interface JsonNode {
  value: object;
  name: string;
  parent: JsonNode | undefined;
}

/** Returns the dotted path of a field, cut to a maximum length. */
function dottedPath(parent: JsonNode, name: string): string {
  const names = [name];
  for (let at = parent; at.parent !== undefined; at = at.parent) names.unshift(at.name);
  return truncatePath(names.join('.'));
}

/**
 * `validation_error`, with the first problem only, for a parsed body that has more than 25,000 values or a field named
 * `__proto__`, which the validator would silently drop.
 */
export function requireSafeJson(body: object): void {
  const pending: JsonNode[] = [{ value: body, name: '', parent: undefined }];
  let values = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value } = node;
    const parts: [string, unknown][] = Object.entries(value);
    values += parts.length;
    if (values > maxValues) throw validationError({ path: 'body', message: `must hold at most ${maxValues} values` });
    for (const [name, part] of parts) {
      if (name === '__proto__') throw validationError(unknownFieldIssue(dottedPath(node, name)));
      if (typeof part !== 'object' || part === null) continue;
      pending.push({ value: part, name, parent: node });
    }
  }
}
