import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientAddressFinder } from '../../../../api/http/security/clientAddress';

function addressOf(trustedProxies: string[], remoteAddress: string | undefined, forwarded?: string): string | undefined {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return clientAddressFinder(trustedProxies)(request);
}

it.each([
  ['that of the connection, regardless of what an untrusted one forwards', [], '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['the last one that this machine forwards', [], '127.0.0.1', '198.51.100.1, 203.0.113.1', '203.0.113.1'],
  ['an IPv4 address also where it comes in IPv6', [], '::ffff:203.0.113.1', undefined, '203.0.113.1'],
  ['the last one that is no trusted proxy', ['10.0.0.0/8', '2001:db8::1'], '10.1.2.3', '198.51.100.1, 203.0.113.1, 2001:db8::1', '203.0.113.1'],
  ['not known where this machine itself calls', [], '::1', undefined, undefined],
  ['that of a trusted proxy that names none', ['10.0.0.0/8'], '10.1.2.3', undefined, '10.1.2.3'],
  ['the last one that a proxy names, where all are trusted', ['10.0.0.0/16'], '10.0.5.9', '10.0.99.1, 10.0.3.7', '10.0.3.7'],
  ['the last one that this machine names, though it is its own', [], '127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['that of the proxy behind a text that is no address', [], '127.0.0.1', '203.0.113.1, unknown', '127.0.0.1'],
  ['the last trusted one behind a text that is no address', ['10.0.0.0/16'], '127.0.0.1', '203.0.113.1, unknown, 10.0.3.7', '10.0.3.7'],
  ['none of another client where the connection has ended', [], undefined, '203.0.113.1', '0.0.0.0'],
] as const)('the address of a client is %s', (_rule, proxies, remote, forwarded, expected) => {
  expect(addressOf([...proxies], remote, forwarded)).toBe(expected);
});
