import type { Server } from 'node:http';
import { newId } from '../../domain/ids';
import { invalid } from '../../domain/errors';
import { errorAnswer } from './errors';

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers and URL must be at most 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'was not sent in time',
};

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
    const requestId = newId('req');
    const refusal = invalid({ path: 'request', message: reasons[error.code ?? ''] ?? 'must be a valid HTTP request' });
    const { status, body } = errorAnswer(refusal, requestId);
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} Unprocessable Entity`,
      `X-Request-Id: ${requestId}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  });
}
