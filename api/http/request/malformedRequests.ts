import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../../../domain/ids';
import { validationError } from '../../../domain/errors';
import { errorResponse } from '../errors';
import { defaultSecurityHeaders } from '../security/securityHeaders';

const parseErrorMessages: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers and URL must be at most 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'was not sent in time',
};

function rejection(path: string, message: string): { requestId: string; status: number; text: string } {
  const requestId = newId('req');
  const { status, body } = errorResponse(validationError({ path, message }), requestId);
  return { requestId, status, text: JSON.stringify(body) };
}

/** Rejects a request before any middleware, with the usual error response, and closes its connection. */
function rejectRequest(response: ServerResponse, path: string, message: string): void {
  const { requestId, status, text } = rejection(path, message);
  response.writeHead(status, {
    ...defaultSecurityHeaders,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  response.end(text);
}

/** An `Expect` other than `100-continue` is not supported. */
export function rejectExpectHeader(_request: IncomingMessage, response: ServerResponse): void {
  rejectRequest(response, 'Expect', 'must be 100-continue or left out');
}

/** Whether a request has a target (a path, or a URL with a path) and, from HTTP/1.1 on, a `Host`; rejects any other. */
export function requireHostAndTarget({ url = '', headers, httpVersion }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.host === undefined && httpVersion !== '1.0') {
    rejectRequest(response, 'Host', 'must be sent');
    return false;
  }
  const isValid = url.startsWith('/') || url === '*' || /^https?:\/\/[^/?#]+/i.test(url);
  if (!isValid) rejectRequest(response, 'request', 'must name a path');
  return isValid;
}

/** Writes an error response and closes the connection. */
function endWithError(socket: Duplex, code: string | undefined): void {
  const { requestId, status, text } = rejection('request', parseErrorMessages[code ?? ''] ?? 'must be a valid HTTP request');
  const head = [
    `HTTP/1.1 ${status} Unprocessable Entity`,
    ...Object.entries(defaultSecurityHeaders).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Closes a request that is not complete in time, with an error response. */
export function rejectTimedOutRequest(socket: Duplex): void {
  if (socket.writable) endWithError(socket, 'ERR_HTTP_REQUEST_TIMEOUT');
  else socket.destroy();
}

/**
 * Responds to a malformed HTTP request with the usual error body (section General rules, 5): what the parser rejects reaches
 * no middleware.
 */
export function rejectMalformedRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    endWithError(socket, error.code);
  });
}
