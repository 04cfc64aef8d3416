import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { hasValidSignature } from '../../clients/typescript/src/hasValidSignature';
import { errorCode } from '../errors';

/** What the demo's receiver has seen so far. */
export interface ReceiverStats {
  /** Event ids answered 2xx, with how often each was. */
  accepted: Map<string, number>;
  rejectedAttempts: number;
  badSignatures: number;
}

export interface DemoReceiver {
  stats: ReceiverStats;
  close(): Promise<void>;
}

/**
 * A receiver that responds 500 to the first two attempts of every `failEvery`th event, and 204 otherwise. `getSecret`
 * returns the endpoint's secret once it is known.
 */
export async function startDemoReceiver(port: number, failEvery: number, getSecret: () => string): Promise<DemoReceiver> {
  const stats: ReceiverStats = { accepted: new Map(), rejectedAttempts: 0, badSignatures: 0 };
  const attempts = new Map<string, number>();
  const order = new Map<string, number>();
  const server = createServer((request, response) => {
    buffer(request).then(
      (body) => {
        const signature = String(request.headers['x-svc-signature']);
        if (!hasValidSignature(body, signature, getSecret())) stats.badSignatures += 1;
        const id = String(request.headers['webhook-id']);
        if (!order.has(id)) order.set(id, order.size + 1);
        const attempt = (attempts.get(id) ?? 0) + 1;
        attempts.set(id, attempt);
        const shouldFail = (order.get(id) ?? 0) % failEvery === 0 && attempt <= 2;
        if (shouldFail) stats.rejectedAttempts += 1;
        else stats.accepted.set(id, (stats.accepted.get(id) ?? 0) + 1);
        response.writeHead(shouldFail ? 500 : 204).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(errorCode(error) === 'EADDRINUSE' ? new Error(`Port ${port}, which the stack keeps for the demo, is now used by another program: restart the stack`, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    stats,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
