import type { Issue } from '../../../domain/errors';

/** Returns the name of the value at a path in messages: the field's name, or for an item the list's name with its position. */
export function issueLabel(path: string): string {
  const parts = path.split('.');
  const [list, last = ''] = [parts.at(-2), parts.at(-1)];
  return list !== undefined && /^\d+$/.test(last) ? `${list}.${last}` : last;
}

/** Returns a sentence about a problem that names its field once. */
export function issueSentence({ path, message }: Issue): string {
  const label = issueLabel(path);
  if (path === '') return message;
  return message.startsWith(`${label} `) ? path + message.slice(label.length) : `${path}: ${message}`;
}
