import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../../../domain/ids';
import { invalid } from '../../../domain/errors';
import { errorAnswer } from '../errors';
import { guarding } from '../security/securityHeaders';

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers and URL must be at most 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'was not sent in time',
};

function refusalOf(path: string, message: string): { requestId: string; status: number; text: string } {
  const requestId = newId('req');
  const { status, body } = errorAnswer(invalid({ path, message }), requestId);
  return { requestId, status, text: JSON.stringify(body) };
}

/** Refuses a request before any middleware, in the form of every other answer, and takes no other on its connection. */
function refuseRequest(response: ServerResponse, path: string, message: string): void {
  const { requestId, status, text } = refusalOf(path, message);
  response.writeHead(status, {
    ...guarding,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  response.end(text);
}

/** An `Expect` other than `100-continue`: nobody knows what to do. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  refuseRequest(response, 'Expect', 'must be 100-continue or left out');
}

/**
 * Whether a request says what it is for: a path, or a URL that has one, and from HTTP/1.1 on a `Host`. Refuses any
 * other, as `http://` alone.
 */
export function requireTarget({ url = '', headers, httpVersion }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.host === undefined && httpVersion !== '1.0') {
    refuseRequest(response, 'Host', 'must be sent');
    return false;
  }
  const good = url.startsWith('/') || url === '*' || /^https?:\/\/[^/?#]+/i.test(url);
  if (!good) refuseRequest(response, 'request', 'must name a path');
  return good;
}

/** The last that is written to a connection: the refusal of what its client was sending. */
function endWith(socket: Duplex, code: string | undefined): void {
  const { requestId, status, text } = refusalOf('request', reasons[code ?? ''] ?? 'must be a valid HTTP request');
  const head = [
    `HTTP/1.1 ${status} Unprocessable Entity`,
    ...Object.entries(guarding).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Cuts off a request that has not come in time, telling its client so. */
export function refuseLate(socket: Duplex): void {
  if (socket.writable) endWith(socket, 'ERR_HTTP_REQUEST_TIMEOUT');
  else socket.destroy();
}

/**
 * Answers what is no HTTP request in the form of every other answer (section General rules, 5): what the parser
 * refuses reaches no middleware.
 */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    endWith(socket, error.code);
  });
}
