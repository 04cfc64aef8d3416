import type { Context } from 'koa';

const bearer = /^Bearer +(\S+)$/i;

/** Returns the token of `Authorization: Bearer …`; undefined if the header is missing or has another form. */
export const bearerToken = (ctx: Context): string | undefined => bearer.exec(ctx.get('Authorization'))?.[1];

const isKey = (text: unknown): boolean => typeof text === 'string' && /^svc_(?:live|test)_/.test(text);

/** Returns what is seen of a key that was sent in another way than `Authorization: Bearer …`, without the key; undefined if nothing is. */
export function misplacedKey(ctx: Context): string | undefined {
  const header = ctx.get('Authorization');
  if (isKey(header)) return 'What was sent has no "Bearer" before the key.';
  if (/^Bearer +Bearer /i.test(header)) return 'What was sent has "Bearer" twice.';
  const scheme = /^([A-Za-z]{1,20}) /.exec(header)?.[1];
  if (scheme !== undefined && scheme.toLowerCase() !== 'bearer') return `What was sent begins with "${scheme}".`;
  if (ctx.get('X-Api-Key') !== '') return 'The key was sent in X-Api-Key, which the service does not read.';
  return Object.values(ctx.query).flat().some(isKey) ? 'The key was sent in the query, where logs keep it: replace it by another.' : undefined;
}
