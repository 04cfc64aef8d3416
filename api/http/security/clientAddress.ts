import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isLoopbackAddress } from '../../../lib/loopback';
import type { ApiMiddleware } from '../state';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const toRange = (text: string): Range => ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`);

/** Returns an address in its plain form, an IPv4 address in IPv6 as IPv4; undefined for any other text. */
function plainAddress(text: string | undefined): string | undefined {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}

/**
 * Returns a function that finds the address of a request's client: that of the connection or, where it is a trusted proxy's,
 * the last one in `X-Forwarded-For` that is not. This machine is trusted. Undefined if the proxies name no other address.
 */
export function clientAddressFinder(trustedProxies: readonly string[]): (request: IncomingMessage) => string | undefined {
  const ranges = trustedProxies.map(toRange);
  const isTrusted = (text: string): boolean => {
    const address = ipaddr.process(text);
    return isLoopbackAddress(text) || ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
  return ({ headers, socket }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map((part) => part.trim());
    for (const part of [...forwarded, socket.remoteAddress].reverse()) {
      const address = plainAddress(part);
      // What stands before a text that is no address may be made up.
      if (address === undefined) return undefined;
      if (!isTrusted(address)) return address;
    }
    return undefined;
  };
}

/** Stores the address of the client, by which sign-ins are limited and recorded. */
export function assignClientAddress(trustedProxies: readonly string[]): ApiMiddleware {
  const find = clientAddressFinder(trustedProxies);
  return async (ctx, next) => {
    const address = find(ctx.req);
    if (address !== undefined) ctx.state.clientAddress = address;
    await next();
  };
}
