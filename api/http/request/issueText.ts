import type { Issue } from '../../../domain/errors';

/** What a message calls the value at a path: the field's own name, for an item of a list that of the list with its place. */
export function issueLabel(path: string): string {
  const parts = path.split('.');
  const [list, last = ''] = [parts.at(-2), parts.at(-1)];
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : last;
}

/** A problem in a sentence that says once where it is. */
export function issueSentence({ path, message }: Issue): string {
  const label = issueLabel(path);
  if (path === '') return message;
  return message.startsWith(`${label} `) ? path + message.slice(label.length) : `${path}: ${message}`;
}
