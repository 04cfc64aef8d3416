import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The receiver of the webhook benches, in a separate process: it responds 204 immediately and records arrivals by path. It
 * never reads a body. Its second port is for the bench:
 *   GET /counts       how many different events each path received, and how many attempts it rejected
 *   GET /arrivals     what arrived when, and which events were rejected first
 *   DELETE /arrivals  resets both
 *   PUT /mode?path=/hooks/a&mode=ok|hang|fail|tenth&seconds=15   how a path responds from now on
 *   PUT /listening?on=yes|no   whether the first port accepts connections
 */
type Mode = 'ok' | 'hang' | 'fail' | 'tenth';

class ReceiverPath {
  mode: Mode = 'ok';
  hangMs = 0;
  ids: string[] = [];
  at: number[] = [];
  arrived = new Set<string>();
  seen = new Set<string>();
  refusedAtFirst: string[] = [];
  refused = 0;

  reset(): void {
    this.ids = [];
    this.at = [];
    this.arrived.clear();
    this.seen.clear();
    this.refusedAtFirst = [];
    this.refused = 0;
  }

  /** Whether the response to this attempt is 500. */
  shouldFail(id: string): boolean {
    if (this.mode === 'fail') return true;
    if (this.mode !== 'tenth' || this.seen.has(id)) return false;
    this.seen.add(id);
    if (this.seen.size % 10 !== 0) return false;
    this.refusedAtFirst.push(id);
    return true;
  }

  recordArrival(id: string, at: number): void {
    this.ids.push(id);
    this.at.push(at);
    this.arrived.add(id);
  }
}

const paths = new Map<string, ReceiverPath>();

function pathOf(name: string): ReceiverPath {
  const known = paths.get(name);
  if (known !== undefined) return known;
  const path = new ReceiverPath();
  paths.set(name, path);
  return path;
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = performance.timeOrigin + performance.now();
  const path = pathOf(request.url ?? '');
  const id = String(request.headers['webhook-id']);
  if (path.mode === 'hang') await sleep(path.hangMs);
  if (response.destroyed) return;
  if (path.shouldFail(id)) {
    path.refused += 1;
    response.writeHead(500).end();
    return;
  }
  path.recordArrival(id, at);
  response.writeHead(204).end();
}

const handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  request.once('end', () => void receive(request, response));
};
const hooks = createServer(handleRequest);
/** The same at another address, for endpoints that must not share connections with the others. */
const secondServer = createServer(handleRequest);
const hooksPort = Number(process.env.BENCH_PORT);

function listen(on: boolean): Promise<void> {
  if (on === hooks.listening) return Promise.resolve();
  return new Promise((resolve) => {
    if (on) {
      hooks.listen(hooksPort, '127.0.0.1', resolve);
      return;
    }
    hooks.close(() => resolve());
    hooks.closeAllConnections();
  });
}

const isMode = (text: string | null): text is Mode => text === 'ok' || text === 'hang' || text === 'fail' || text === 'tenth';

const reportPaths = (report: (path: ReceiverPath) => object): object => Object.fromEntries([...paths].map(([name, path]) => [name, report(path)]));

const controls: Record<string, (query: URLSearchParams) => Promise<object> | object> = {
  'GET /counts': () => reportPaths(({ arrived, refused }) => ({ arrived: arrived.size, refused })),
  'GET /arrivals': () => reportPaths(({ ids, at, refusedAtFirst }) => ({ ids, at, refusedAtFirst })),
  'DELETE /arrivals': () => {
    for (const path of paths.values()) path.reset();
    return {};
  },
  'PUT /mode': (query) => {
    const mode = query.get('mode');
    if (!isMode(mode)) throw new Error(`Unknown mode: ${String(mode)}`);
    Object.assign(pathOf(query.get('path') ?? ''), { mode, hangMs: Number(query.get('seconds')) * 1_000 });
    return {};
  },
  'PUT /listening': async (query) => {
    await listen(query.get('on') === 'yes');
    return {};
  },
};

const control = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://receiver');
  const action = controls[`${request.method ?? ''} ${url.pathname}`];
  Promise.resolve(action?.(url.searchParams)).then(
    (result) => response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? {})),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
hooks.listen(hooksPort, '127.0.0.1');
secondServer.listen(hooksPort, '127.0.0.2');
control.listen(Number(process.env.BENCH_CONTROL_PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
