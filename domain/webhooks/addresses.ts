import { isIP, isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
import ipaddr from 'ipaddr.js';

type UrlErrorCode = 'https_required' | 'private_host' | 'validation_error';

export type WebhookUrlCheck =
  | { ok: true; url: URL }
  | { ok: false; code: UrlErrorCode; message: string; problems: readonly string[] };

/** Reserved names of local machines and home networks; names below them are private too. */
const privateNames = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

/** A label of a host name as registries allow it; other labels are rejected even if the URL parser accepts them. */
const nameLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Scheme, two slashes, a host, and no user information, checked on the text, because the URL parser tolerates deviations. */
const plainAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\@]+(?:[/?]|$)/i;

/** Whether a label is one of a valid name. Node 20 rejects a URL with punycode that means nothing, Node 24 lets it pass. */
const isValidLabel = (label: string): boolean => nameLabel.test(label) && !(label.startsWith('xn--') && /^(?:xn--.*)?$/.test(domainToUnicode(label)));

const maxUrlLength = 2048;
const maxHostLength = 253;

/** IPv6 unicast is allocated from 2000::/3 only; all other addresses are rejected. */
const ipv6Unicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Addresses that are public unicast by the registries but belong to a cloud provider's internal network. */
const providerAddresses = new Set(['168.63.129.16']);

/**
 * Whether a packet to `address` goes to the public Internet: an IPv4 or IPv6 unicast address outside of every
 * special-purpose range and of the transition ranges that embed an IPv4 address (mapped, compatible, translated, NAT64,
 * 6to4, Teredo), without a zone id. Only canonical notations are public.
 */
export function isPublicUnicast(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (providerAddresses.has(address)) return false;
  const parsed = isIPv4(address) ? ipaddr.IPv4.parse(address) : ipaddr.IPv6.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(ipv6Unicast)) return false;
  return parsed.range() === 'unicast';
}

/** Returns the IP address that is the host of a URL, without the brackets of IPv6; null for a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? null : host;
}

/** Returns the port that a URL is connected to. */
export function effectivePort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}

/** Whether `host:port` of the URL is exactly one of the trusted hosts (development and tests). */
export function isTrustedHost(url: URL, trustedHosts: readonly string[]): boolean {
  if (trustedHosts.length === 0) return false;
  const hostAndPort = `${url.hostname}:${effectivePort(url)}`;
  return trustedHosts.some((entry) => entry.toLowerCase() === hostAndPort);
}

/**
 * Checks the URL of a webhook endpoint (specification: Events, Delivery 7; Errors, condition 4), in this order:
 * `validation_error` if not a URL, `https_required` for any other scheme than https, `private_host` for a host that is not
 * public, `validation_error` for credentials, fragment, a port other than 443 or 1024–65535, or an invalid host. A trusted
 * `host:port` may use http, any port and any host. Names are not resolved here: the client resolves them at every connection.
 */
export function checkWebhookUrl(url: string, trustedHosts: readonly string[]): WebhookUrlCheck {
  const parsed = parseUrl(url);
  if (parsed === null) return refused('validation_error', 'url must be an absolute URL of at most 2048 characters, and begin with https://');
  const trusted = isTrustedHost(parsed, trustedHosts);
  if (parsed.protocol !== 'https:' && !(trusted && parsed.protocol === 'http:')) {
    return refused('https_required', 'url must begin with https://');
  }
  if (!trusted && isPrivateHost(parsed)) {
    return refused('private_host', 'The host of url must be public');
  }
  const problems = [...spellingProblems(url, parsed), ...(trusted ? [] : hostProblems(parsed))];
  return problems.length === 0 ? { ok: true, url: parsed } : refused('validation_error', ...problems);
}

/** How many trusted hosts a message names. */
const maxHostsShown = 5;

/**
 * Returns a hint for the error message if hosts are trusted, as on the local stack: that this host is not one of them, and
 * which are, up to five. Undefined if there are no trusted hosts, or the URL has no host.
 */
export function untrustedHostHint(url: string, trustedHosts: readonly string[]): string | undefined {
  const parsed = parseUrl(url);
  if (trustedHosts.length === 0 || parsed === null || parsed.hostname === '' || isTrustedHost(parsed, trustedHosts)) return undefined;
  const more = trustedHosts.length > maxHostsShown ? ` and ${trustedHosts.length - maxHostsShown} more` : '';
  return `${parsed.hostname}:${effectivePort(parsed)} is not trusted: WEBHOOK_TRUSTED_HOSTS contains ${trustedHosts.slice(0, maxHostsShown).join(', ')}${more}; set it before the service starts.`;
}

/** Does not use `URL.canParse`: Node 20's optimised version rejects every URL with a Latin-1 character such as `ü`. */
function parseUrl(text: string): URL | null {
  if (text.length > maxUrlLength) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether the host is a private address, a private name, or a name without a dot. */
function isPrivateHost(url: URL): boolean {
  const literal = literalAddress(url);
  if (literal !== null) return !isPublicUnicast(literal);
  const name = url.hostname.replace(/\.+$/, '');
  return !name.includes('.') || privateNames.some((known) => name === known || name.endsWith(`.${known}`));
}

function spellingProblems(text: string, url: URL): string[] {
  // The URL parser drops tabs, line ends and outer spaces, and converts a backslash to a slash.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return ['url must not contain spaces, control characters or backslashes'];
  const problems = [
    ...(url.username !== '' || url.password !== '' ? ['url must not contain credentials'] : []),
    ...(text.includes('#') ? ['url must not contain a fragment'] : []),
  ];
  return problems.length > 0 || plainAuthority.test(text) ? problems : ['url must contain a plain host name after //'];
}

function hostProblems(url: URL): string[] {
  const port = effectivePort(url);
  const isValidName = literalAddress(url) !== null || (url.hostname.length <= maxHostLength && url.hostname.split('.').every(isValidLabel));
  return [
    ...(port !== 443 && port < 1024 ? ['url must use port 443 or a port from 1024 to 65535'] : []),
    ...(isValidName ? [] : ['url must contain a valid host name of at most 253 characters']),
  ];
}

const refused = (code: UrlErrorCode, ...problems: readonly string[]): WebhookUrlCheck => ({ ok: false, code, message: problems.join('; '), problems });
