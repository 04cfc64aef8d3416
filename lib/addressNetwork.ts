import ipaddr from 'ipaddr.js';

/** How many bits of an IPv6 address name a network: who has one address of it has all of them. */
const networkBits = 64;

/** Returns what calls of one client are counted by: an IPv4 address itself, the network (/64) of an IPv6 address. */
export function addressNetwork(address: string): string {
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${networkBits}`).toString()}/${networkBits}` : parsed.toString();
}
