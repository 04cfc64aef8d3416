import { createServer } from 'node:http';

/*
 * The receiver of the webhook benches, in a process of its own: answers 204 at once and keeps when what arrived.
 * GET /seen answers it, DELETE /seen forgets it.
 */
interface Arrival {
  id: string;
  subject: string;
  at: number;
}

let seen: Arrival[] = [];

const server = createServer((request, response) => {
  if (request.url === '/seen') {
    if (request.method === 'DELETE') seen = [];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ seen }));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    const body = Buffer.concat(chunks).toString();
    seen.push({ id: String(request.headers['webhook-id']), subject: /"student_id":"(\w+)"/.exec(body)?.[1] ?? '', at });
    response.writeHead(204).end();
  });
});
server.listen(Number(process.env.BENCH_PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
