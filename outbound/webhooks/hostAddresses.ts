import { promises as dns } from 'node:dns';
import { isIPv4 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isPublicUnicast, isTrustedHost, literalAddress } from '../../domain/webhooks/addresses';
import { isLocalhostName } from '../../lib/loopback';
import { withTimeout } from '../../lib/timeout';
import { AttemptFailure, errorCode } from './attemptFailure';

/** The used part of `dns.promises.Resolver`; tests pass one with their own name server. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

export interface HostAddressesOptions {
  trustedHosts: readonly string[];
  /** c-ares by default: it uses the network without a thread of the pool. */
  resolver?: NameResolver;
  /**
   * Whether `isPrivate` refuses a name that does not resolve as it refuses one that is private, after the same time: who may ask
   * learns no name of the network that this process is in.
   */
  hidesNames?: boolean;
}

export interface HostAddresses {
  /**
   * The addresses to connect to for this URL, in the order to try them, each of them checked: every one is public, or
   * the host is trusted. Rejects with an AttemptFailure `dns` or `blocked`. Names are looked up at every call
   * (concurrent calls share one look-up); a name with one address that is not public is rejected as a whole.
   */
  resolve(url: URL): Promise<string[]>;
  /** Whether the host is, or resolves at this moment to, an address that is not public; an unknown name is not, unless names are hidden. */
  isPrivate(url: URL): Promise<boolean>;
}

/** Timeout of the look-up of a name, for both families, in ms; a query is repeated after half of it. */
const lookupTimeoutMs = 2_000;

/** After how long a name is rejected where names are hidden, in ms: as long as the slowest look-up. */
const rejectionMs = lookupTimeoutMs + 100;

/** Maximum number of addresses of a name that are tried, so that each gets enough time. */
const maxCandidates = 4;

const noRecordCodes = new Set(['ENODATA', 'ENOTFOUND']);

export function createHostAddresses({ trustedHosts, resolver, hidesNames = false }: HostAddressesOptions): HostAddresses {
  const names: NameResolver = resolver ?? new dns.Resolver({ timeout: lookupTimeoutMs / 2, tries: 2 });
  const lookups = new Map<string, Promise<string[]>>();

  function lookUp(name: string): Promise<string[]> {
    const running = lookups.get(name);
    if (running !== undefined) return running;
    const lookup = lookUpBothFamilies(names, name).finally(() => lookups.delete(name));
    lookups.set(name, lookup);
    return lookup;
  }

  async function resolve(url: URL): Promise<string[]> {
    const literal = literalAddress(url);
    if (isTrustedHost(url, trustedHosts)) {
      if (literal !== null) return [literal];
      // Error codes of a name that does not exist.
      return isLocalhostName(url.hostname) ? ['127.0.0.1', '::1'] : interleaveFamilies(await lookUp(url.hostname));
    }
    const addresses = literal === null ? await lookUp(url.hostname) : [literal];
    if (!addresses.every(isPublicUnicast)) {
      throw new AttemptFailure('blocked', 'The host is, or resolves to, an address that is not public');
    }
    return interleaveFamilies(addresses);
  }

  async function isPrivate(url: URL): Promise<boolean> {
    const failure = resolve(url).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof AttemptFailure) return error.errorClass;
        throw error;
      },
    );
    if (!hidesNames || literalAddress(url) !== null) return (await failure) === 'blocked';
    const rejection = pause(rejectionMs, true, { ref: false });
    return (await failure) === undefined ? false : rejection;
  }

  return { resolve, isPrivate };
}

/** Looks up both address families concurrently; a failure of one is ignored if the other succeeds. */
async function lookUpBothFamilies(names: NameResolver, name: string): Promise<string[]> {
  const queries = [names.resolve4(name), names.resolve6(name)].map((lookup) => withLookupTimeout(lookup));
  const results = await Promise.allSettled(queries);
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  const failed = results.find((result) => result.status === 'rejected' && !noRecordCodes.has(errorCode(result.reason)));
  throw new AttemptFailure('dns', failed === undefined ? 'The name of the host does not exist' : 'The name of the host could not be resolved');
}

function withLookupTimeout(lookup: Promise<string[]>): Promise<string[]> {
  return withTimeout(lookupTimeoutMs, lookup, () => {
    throw new Error('The name server did not answer');
  });
}

/** Alternates IPv4 and IPv6, IPv4 first: a machine without one of them wastes one try, not all of them. */
function interleaveFamilies(addresses: readonly string[]): string[] {
  const ipv4 = addresses.filter((address) => isIPv4(address));
  const ipv6 = addresses.filter((address) => !isIPv4(address));
  const interleaved: string[] = [];
  for (let i = 0; i < Math.max(ipv4.length, ipv6.length); i += 1) {
    interleaved.push(...ipv4.slice(i, i + 1), ...ipv6.slice(i, i + 1));
  }
  return interleaved.slice(0, maxCandidates);
}
