import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import type { ClusterCertificates } from '../../local/cluster/certificates';

/** A way to a server with mTLS for those who can speak plain text alone. */
export interface TlsForwarder {
  /** `host:port` on the loopback. */
  address: string;
  close(): Promise<void>;
}

/** Starts to forward connections to `target` (`host:port`), encrypted and with the client's certificate. */
export async function startTlsForwarder(target: string, { caFile, serverName, client }: ClusterCertificates): Promise<TlsForwarder> {
  const { hostname: host, port } = new URL(`tcp://${target}`);
  const [ca, cert, key] = [readFileSync(caFile), readFileSync(client.certFile), readFileSync(client.keyFile)];
  const open = new Set<() => void>();
  const server = createServer((near) => {
    const far = connect({ host, port: Number(port), servername: serverName, ca, cert, key, ALPNProtocols: ['h2'] });
    const end = (): void => { near.destroy(); far.destroy(); open.delete(end); };
    open.add(end);
    for (const side of [near, far]) side.on('error', () => undefined).on('close', end);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      for (const end of [...open]) end();
    }),
  };
}
