import type { Context } from 'koa';

const bearer = /^Bearer +(\S+)$/i;

/** The token of `Authorization: Bearer …`; undefined where the header is missing or says anything else. */
export const bearerToken = (ctx: Context): string | undefined => bearer.exec(ctx.get('Authorization'))?.[1];
