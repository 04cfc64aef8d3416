/** Returns the name of the value at a path in messages: the field's name, or for an item the list's name with its position. */
export function issueLabel(path: string): string {
  const parts = path.split('.');
  const [list, last = ''] = [parts.at(-2), parts.at(-1)];
  return list !== undefined && /^\d+$/.test(last) ? `${list}.${last}` : last;
}

/** How messages begin that leave their field out. */
const verb = /^(must|is|names|has|was|leads) /;

/** Returns the issue of a nested field with a message that names it: one that leaves it out begins with it. */
export const withLabel = <Problem extends { path: string; message: string }>(issue: Problem): Problem =>
  issue.path.includes('.') && verb.test(issue.message) ? { ...issue, message: `${issueLabel(issue.path)} ${issue.message}` } : issue;

/** Returns a sentence about a problem that names its field once. */
export function issueSentence({ path, message }: { path: string; message: string }): string {
  const label = issueLabel(path);
  if (path === '') return message;
  if (message.startsWith(`${label} `)) return path + message.slice(label.length);
  return `${path}${verb.test(message) ? '' : ':'} ${message}`;
}
