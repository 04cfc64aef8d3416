import type { SecretBox } from '../secrets/secretBox';
import { endpointPlace, type EndpointReference } from './endpointPlace';

/** Headers that an endpoint's owner adds to each attempt, by name. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** Limits of the headers of an endpoint. `totalBytes` counts names and values. */
export const headerLimits = { headers: 10, nameLength: 100, valueLength: 1_000, totalBytes: 4_096 } as const;

/** A header's name is a token (RFC 9110, section 5.6.2). */
export const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Names that belong to HTTP or to what stands between the service and the receiver. */
const reservedNames: ReadonlySet<string> = new Set([
  'accept-encoding', 'age', 'alt-svc', 'close', 'connection', 'cookie2', 'date', 'expect', 'forwarded', 'host', 'http2-settings', 'keep-alive', 'max-forwards', 'range', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'user-agent', 'via', 'x-real-ip',
]);
const reservedPrefixes = ['content-', 'if-', 'proxy-', 'sec-', 'webhook-', 'x-forwarded-', 'x-svc-'];

/** Whether a text can be the name of a header: a token of limited length. */
export const isHeaderName = (name: string): boolean => name.length <= headerLimits.nameLength && headerNamePattern.test(name);

/** Whether HTTP or this service uses a header of this name itself. */
export function isReservedHeaderName(name: string): boolean {
  // Many receivers read `_` as `-`, or make both `_`.
  const plain = name.toLowerCase().replaceAll('_', '-');
  return reservedNames.has(plain) || reservedPrefixes.some((prefix) => plain.startsWith(prefix));
}

/** Visible ASCII with single or several blanks inside, so that it arrives as it was sent. */
export const headerValuePattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The size of headers in bytes: their names and values, all ASCII. */
export function headerBytes(headers: CustomHeaders): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** The first name that another one equals, apart from case. */
export function repeatedName(headers: CustomHeaders): string | undefined {
  const names = Object.keys(headers);
  return names.find((name, nth) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < nth);
}

/** Returns the columns of an endpoint's headers: sealed together, with their names in clear; null and `{}` are none. */
export function sealHeaders(secrets: SecretBox, endpoint: EndpointReference, headers: CustomHeaders | null | undefined): { headersSealed: string | null; headerNames: string[] } {
  const headerNames = Object.keys(headers ?? {});
  return { headersSealed: headerNames.length === 0 ? null : secrets.seal(JSON.stringify(headers), endpointPlace(endpoint, 'headers_sealed')), headerNames };
}

const isHeaders = (value: unknown): value is CustomHeaders => typeof value === 'object' && value !== null;

/** Returns the headers of a sealed column. */
export function openHeaders(secrets: SecretBox, endpoint: EndpointReference, sealed: string | null): CustomHeaders {
  const headers: unknown = sealed === null ? {} : JSON.parse(secrets.open(sealed, endpointPlace(endpoint, 'headers_sealed')));
  if (!isHeaders(headers)) throw new Error('The stored headers of an endpoint are no object');
  return headers;
}
