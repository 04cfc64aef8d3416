import { createSocket } from 'node:dgram';

/** A name server that knows one name, as that of Docker knows the containers of a service. */
export interface NameServer {
  port: number;
  close(): Promise<void>;
}

const [typeA, classInternet, ttlSeconds] = [1, 1, 1];
const headerBytes = 12;

/** The response to a query: the addresses of the name for a question about them, otherwise none. */
function respond(query: Buffer, name: string, addresses: readonly string[]): Buffer {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(headerBytes, at + 5);
  const isKnown = labels.join('.').toLowerCase() === name;
  const found = isKnown && query.readUInt16BE(at + 1) === typeA ? addresses : [];
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // A response, recursion wanted and available; 3: there is no such name.
  header.writeUInt16BE(0x8180 + (isKnown ? 0 : 3), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const answers = found.map((address) => {
    const answer = Buffer.alloc(16);
    // The name is that of the question.
    answer.writeUInt16BE(0xc000 + headerBytes, 0);
    answer.writeUInt16BE(typeA, 2);
    answer.writeUInt16BE(classInternet, 4);
    answer.writeUInt32BE(ttlSeconds, 6);
    answer.writeUInt16BE(4, 10);
    Buffer.from(address.split('.').map(Number)).copy(answer, 12);
    return answer;
  });
  return Buffer.concat([header, question, ...answers]);
}

/** Starts a name server on the loopback. */
export async function startNameServer(name: string, addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(respond(query, name, addresses), port, address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, close: () => new Promise((resolve) => socket.close(() => resolve())) };
}
