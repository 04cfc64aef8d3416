import { connect, type Socket } from 'node:net';

/** What came back over a socket, taken apart. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  body: any;
}

function parseResponse(text: string): RawResponse {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers.map((header) => [header.split(':')[0]?.toLowerCase() ?? '', header.slice(header.indexOf(':') + 1).trim()])),
    body: body.startsWith('{') ? JSON.parse(body) : body,
  };
}

/** A connection on which a test writes bytes as it likes. */
export interface RawConnection {
  socket: Socket;
  /** Everything received once the service has closed the connection; undefined when that was nothing. */
  response: Promise<RawResponse | undefined>;
}

export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  const response = new Promise<RawResponse | undefined>((resolve) => {
    const done = (): void => {
      socket.destroy();
      resolve(received.length === 0 ? undefined : parseResponse(Buffer.concat(received).toString('utf8')));
    };
    socket.once('end', done);
    socket.once('error', done);
    socket.once('close', done);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { socket, response };
}

/** The head of a request; the last on its connection unless the headers say otherwise. */
export const requestHead = (method: string, path: string, headers: Record<string, string | number>): string => {
  const all = { host: '127.0.0.1', connection: 'close', ...headers };
  return [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
};
