import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { isIPv4 } from 'node:net';
import { once } from 'node:events';

/** The addresses of a name at its n-th look-up (from 0); null leaves the question unanswered. */
export type Zone = (name: string, lookup: number) => readonly string[] | null;

export interface NameServer {
  /** `host:port` */
  address: string;
  /** Asks this server and no other. */
  resolver: dns.Resolver;
  /** How often the addresses (A) of a name were asked for. */
  lookups(name: string): number;
  close(): Promise<void>;
}

const recordTypes = { a: 1, cname: 5, aaaa: 28 } as const;
/** The name of the question, where every answer has it. */
const questionPointer = Buffer.from([0xc0, 0x0c]);

/** A name server of one UDP socket on loopback; a name without addresses does not exist. An alias (CNAME) has those of its target. */
export async function startNameServer(zone: Zone, aliases: Readonly<Record<string, string>> = {}): Promise<NameServer> {
  const socket = createSocket('udp4');
  const counts = new Map<string, number>();
  socket.on('message', (query, from) => {
    const { name, type, questionEnd } = readQuestion(query);
    const key = `${name}/${type}`;
    const lookup = counts.get(key) ?? 0;
    counts.set(key, lookup + 1);
    const chain = aliasChain(name, aliases);
    const addresses = zone(chain.at(-1) ?? name, lookup);
    if (addresses === null) return;
    const asked = addresses.filter((address) => (type === recordTypes.a ? isIPv4(address) : type === recordTypes.aaaa && !isIPv4(address)));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    const owners = chain.map((owner, nth) => (nth === 0 ? questionPointer : encodeName(owner)));
    const owner = owners.at(-1) ?? questionPointer;
    const records = [
      ...chain.slice(1).map((target, nth) => record(owners[nth] ?? questionPointer, recordTypes.cname, encodeName(target))),
      ...asked.map((address) => (isIPv4(address) ? record(owner, recordTypes.a, Buffer.from(address.split('.').map(Number))) : record(owner, recordTypes.aaaa, ipv6Bytes(address)))),
    ];
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new dns.Resolver({ timeout: 200, tries: 1 });
  const address = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([address]);
  return {
    address,
    resolver,
    lookups: (name) => counts.get(`${name}/1`) ?? 0,
    close: async () => {
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Has every resolver that is made from now on ask this server, as if the machine's settings named it; answers how to end that. */
export function useNameServer({ address }: NameServer): () => void {
  const { Resolver } = dns;
  class Redirected extends Resolver {
    constructor(options?: ConstructorParameters<typeof Resolver>[0]) {
      super(options);
      this.setServers([address]);
    }
  }
  Object.assign(dns, { Resolver: Redirected });
  return () => {
    Object.assign(dns, { Resolver });
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

/** The name, what it is an alias of, and so on. */
function aliasChain(name: string, aliases: Readonly<Record<string, string>>): string[] {
  const target = aliases[name];
  return target === undefined ? [name] : [name, ...aliasChain(target, aliases)];
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])), Buffer.from([0])]);

/** One answer with a time to live of 0. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
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
