import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import { readiness, type Dependency } from '../lib/readiness';

/** Returns the listener for `/healthz`, `/readyz` and `/metrics` of a worker process; `readMore` returns samples that are not in the registry. */
export function serveHealth(dependencies: readonly Dependency[], registry: Registry, readMore = (): Promise<string> => Promise.resolve('')): RequestListener {
  const respond = async (path: string | undefined): Promise<{ status: number; type: string; body: string }> => {
    const json = (status: number, body: object) => ({ status, type: 'application/json', body: JSON.stringify(body) });
    if (path === '/healthz') return json(200, { status: 'alive' });
    if (path === '/readyz') {
      const ready = await readiness(dependencies);
      return json(ready.status === 'unavailable' ? 503 : 200, ready);
    }
    if (path === '/metrics') {
      const more = await readMore();
      return { status: 200, type: registry.contentType, body: `${await registry.metrics()}${more}` };
    }
    return json(404, { success: false, error: 'not_found', message: 'This listener has /healthz, /readyz and /metrics.' });
  };
  return (request, response) => {
    respond(request.url).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  };
}
