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

/** Of every client whose connection ended before it was looked at. */
const endedConnection = '0.0.0.0';

/**
 * Returns a function that finds the address of a request's client: that of the connection or, where it is a trusted proxy's,
 * the last one in `X-Forwarded-For` that is not; this machine is trusted. Where only trusted addresses are named, it is the one that
 * the connection's end names last, or that end itself: what stands before may be made up, and no client is to be without an address.
 * Undefined for calls of this machine itself, which forward nothing.
 */
export function clientAddressFinder(trustedProxies: readonly string[]): (request: IncomingMessage) => string | undefined {
  const ranges = trustedProxies.map(toRange);
  const isTrusted = (text: string): boolean => {
    const address = ipaddr.process(text);
    return isLoopbackAddress(text) || ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
  return ({ headers, socket }) => {
    const peer = plainAddress(socket.remoteAddress) ?? endedConnection;
    if (!isTrusted(peer)) return peer;
    const header = headers['x-forwarded-for'];
    if (header === undefined) return isLoopbackAddress(peer) ? undefined : peer;
    const forwarded = [header].flat().join(',').split(',').map((part) => plainAddress(part.trim())).reverse();
    const [last = peer] = forwarded;
    for (const address of forwarded) {
      // What stands before a text that is no address may be made up.
      if (address === undefined) return last;
      if (!isTrusted(address)) return address;
    }
    return last;
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
