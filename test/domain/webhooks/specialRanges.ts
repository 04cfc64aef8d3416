/** IANA's special-purpose ranges of IPv4, and the others that are no public unicast; first address and prefix length. */
export const specialRanges: readonly { first: string; prefix: number }[] = [
  { first: '0.0.0.0', prefix: 8 },
  { first: '10.0.0.0', prefix: 8 },
  { first: '100.64.0.0', prefix: 10 },
  { first: '127.0.0.0', prefix: 8 },
  { first: '169.254.0.0', prefix: 16 },
  { first: '172.16.0.0', prefix: 12 },
  { first: '192.0.0.0', prefix: 24 },
  { first: '192.0.2.0', prefix: 24 },
  { first: '192.31.196.0', prefix: 24 },
  { first: '192.52.193.0', prefix: 24 },
  { first: '192.88.99.0', prefix: 24 },
  { first: '192.168.0.0', prefix: 16 },
  { first: '192.175.48.0', prefix: 24 },
  { first: '198.18.0.0', prefix: 15 },
  { first: '198.51.100.0', prefix: 24 },
  { first: '203.0.113.0', prefix: 24 },
  { first: '224.0.0.0', prefix: 4 },
  { first: '240.0.0.0', prefix: 4 },
  { first: '168.63.129.16', prefix: 32 },
];

export function toNumber(dotted: string): number {
  return dotted.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

export function toOctets(address: number): [number, number, number, number] {
  return [(address >>> 24) & 255, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
}

export function isSpecial(address: number): boolean {
  return specialRanges.some(({ first, prefix }) => {
    const size = 2 ** (32 - prefix);
    const from = toNumber(first);
    return address >= from && address < from + size;
  });
}
