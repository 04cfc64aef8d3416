import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { isIPv4 } from 'node:net';
import { once } from 'node:events';

/** The addresses of a name at its n-th look-up (from 0); null leaves the question unanswered. */
export type Zone = (name: string, lookup: number) => readonly string[] | null;

export interface NameServer {
  /** Asks this server and no other. */
  resolver: dns.Resolver;
  /** How often the addresses (A) of a name were asked for. */
  lookups(name: string): number;
  close(): Promise<void>;
}

/** A name server of one UDP socket on loopback; a name without addresses does not exist. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const counts = new Map<string, number>();
  socket.on('message', (query, from) => {
    const { name, type, questionEnd } = readQuestion(query);
    const key = `${name}/${type}`;
    const lookup = counts.get(key) ?? 0;
    counts.set(key, lookup + 1);
    const addresses = zone(name, lookup);
    if (addresses === null) return;
    const asked = addresses.filter((address) => (type === 1 ? isIPv4(address) : type === 28 && !isIPv4(address)));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(asked.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...asked.map(record)]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new dns.Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    lookups: (name) => counts.get(`${name}/1`) ?? 0,
    close: async () => {
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; questionEnd: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), questionEnd: at + 5 };
}

/** One answer with a time to live of 0, its name a pointer to the question's. */
function record(address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv4(address) ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser spells out an IPv4 tail; what is left are groups and at most one gap.
  const [before = '', after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): number[] => (text === undefined || text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const head = groups(before);
  const tail = groups(after);
  const bytes = Buffer.alloc(16);
  head.forEach((group, i) => bytes.writeUInt16BE(group, i * 2));
  tail.forEach((group, i) => bytes.writeUInt16BE(group, (8 - tail.length + i) * 2));
  return bytes;
}
