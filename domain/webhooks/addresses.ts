import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type WebhookUrlCheck =
  | { ok: true; url: URL }
  | { ok: false; code: 'https_required' | 'private_host' | 'validation_error'; message: string };

/** The fixed names under which machines and home networks know themselves, and everything below them. */
const privateNames = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

/** A label of a host name as registries allow it; what the URL parser lets through beyond it is refused. */
const nameLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Scheme, two slashes, a host, and no user information, judged on the text: the URL parser forgives all of these. */
const plainAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\@]+(?:[/?]|$)/i;

const maxUrlLength = 2048;
const maxHostLength = 253;

/** IPv6 is handed out from 2000::/3 only; the rest is refused without asking what it is. */
const ipv6Unicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Addresses that are public unicast by the registries but lead into a cloud provider's own network. */
const providerAddresses = new Set(['168.63.129.16']);

/**
 * Whether a packet to `address` leaves for the public Internet: an IPv4 or IPv6 unicast address outside of every
 * special-purpose range, of the transition ranges that embed an IPv4 address (mapped, compatible, translated, NAT64,
 * 6to4, Teredo) and without a zone id. Takes canonical spellings only: anything else is not public.
 */
export function isPublicUnicast(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (providerAddresses.has(address)) return false;
  const parsed = isIPv4(address) ? ipaddr.IPv4.parse(address) : ipaddr.IPv6.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(ipv6Unicast)) return false;
  return parsed.range() === 'unicast';
}

/** The IP address that is the host of a URL, without the brackets of IPv6, or null for a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? null : host;
}

/** The port a URL is connected to. */
export function effectivePort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}

/** Whether `host:port` of the URL is named, exactly, among the trusted hosts (development and tests). */
export function isTrustedHost(url: URL, trustedHosts: readonly string[]): boolean {
  if (trustedHosts.length === 0) return false;
  const hostAndPort = `${url.hostname}:${effectivePort(url)}`;
  return trustedHosts.some((entry) => entry.toLowerCase() === hostAndPort);
}

/**
 * Checks the URL of a webhook endpoint (specification: Events, Delivery 7; Errors, condition 4), in this order:
 * not a URL `validation_error`, any other scheme than https `https_required`, a host that is not public `private_host`; credentials,
 * fragment, a port other than 443 or 1024–65535, or an odd host `validation_error`. A trusted `host:port` may use http,
 * any port and any host. What a name resolves to is not asked here: the client asks at every connection.
 */
export function checkWebhookUrl(url: string, trustedHosts: readonly string[]): WebhookUrlCheck {
  const parsed = parseUrl(url);
  if (parsed === null) return invalidUrl('url must be an absolute URL of at most 2048 characters');
  const trusted = isTrustedHost(parsed, trustedHosts);
  if (parsed.protocol !== 'https:' && !(trusted && parsed.protocol === 'http:')) {
    return { ok: false, code: 'https_required', message: 'url must begin with https://' };
  }
  if (!trusted && isPrivateHost(parsed)) {
    return { ok: false, code: 'private_host', message: 'The host of url must be public' };
  }
  const problem = spellingProblem(url, parsed) ?? (trusted ? null : hostProblem(parsed));
  return problem === null ? { ok: true, url: parsed } : invalidUrl(problem);
}

/**
 * What to say beside a refusal where hosts are trusted, as on the local stack: that this one is not among them, and which
 * are. Undefined where none is, or where the URL names no host.
 */
export function untrustedHostHint(url: string, trustedHosts: readonly string[]): string | undefined {
  const parsed = parseUrl(url);
  if (trustedHosts.length === 0 || parsed === null || parsed.hostname === '' || isTrustedHost(parsed, trustedHosts)) return undefined;
  return `${parsed.hostname}:${effectivePort(parsed)} is not trusted: WEBHOOK_TRUSTED_HOSTS names ${trustedHosts.join(', ')}.`;
}

/** Not by `URL.canParse`: once optimised, Node 20's refuses every URL with a Latin-1 letter such as `ü`. */
function parseUrl(text: string): URL | null {
  if (text.length > maxUrlLength) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** A private address, a name that is private by its spelling, or a name without a dot. */
function isPrivateHost(url: URL): boolean {
  const literal = literalAddress(url);
  if (literal !== null) return !isPublicUnicast(literal);
  const name = url.hostname.replace(/\.+$/, '');
  return !name.includes('.') || privateNames.some((known) => name === known || name.endsWith(`.${known}`));
}

function spellingProblem(text: string, url: URL): string | null {
  // The URL parser drops tabs, line ends and outer spaces, and reads a backslash as a slash.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'url must not contain spaces, control characters or backslashes';
  if (url.username !== '' || url.password !== '') return 'url must not contain credentials';
  if (text.includes('#')) return 'url must not contain a fragment';
  if (!plainAuthority.test(text)) return 'url must name its host plainly, after //';
  return null;
}

function hostProblem(url: URL): string | null {
  const port = effectivePort(url);
  if (port !== 443 && port < 1024) return 'url must use port 443 or a port from 1024 to 65535';
  if (literalAddress(url) !== null) return null;
  if (url.hostname.length > maxHostLength || !url.hostname.split('.').every((label) => nameLabel.test(label))) {
    return 'url must contain a valid host name of at most 253 characters';
  }
  return null;
}

function invalidUrl(message: string): WebhookUrlCheck {
  return { ok: false, code: 'validation_error', message };
}
