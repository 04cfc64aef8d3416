import type { Context } from 'koa';

const bearer = /^Bearer +(\S+)$/i;

/** Returns the token of `Authorization: Bearer …`; undefined if the header is missing or has another form. */
export const bearerToken = (ctx: Context): string | undefined => bearer.exec(ctx.get('Authorization'))?.[1];
