import { connect, constants, createSecureServer, createServer, type ClientHttp2Session, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

/** One call as it reached the proxy: its method, and its message as it was sent. */
export interface ProxiedCall {
  method: string;
  message: Buffer;
  /** The header `authorization`. */
  authorization: string | undefined;
  /** The name in the certificate of the client; undefined without TLS. */
  client: string | undefined;
}

/** How the proxy identifies itself, and the authority of the certificates that it asks clients for. */
export interface ProxyTls {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
}

/** A way to a gRPC server on which single calls can be kept from it, while others of the same connection pass. */
export interface GrpcProxy {
  /** `host:port` */
  address: string;
  /** Every call so far, including hanging ones. */
  calls: readonly ProxiedCall[];
  /** Which calls hang from now on: they are neither passed on nor answered. */
  hang: (call: ProxiedCall) => boolean;
  /** Which calls are answered with `PERMISSION_DENIED` from now on, instead of being passed on. */
  refuses: (call: ProxiedCall) => boolean;
  /** Nothing hangs any more: what did is passed on. */
  release(): void;
  close(): Promise<void>;
}

const hopByHop = new Set<string>([constants.HTTP2_HEADER_CONNECTION, constants.HTTP2_HEADER_HOST, constants.HTTP2_HEADER_SCHEME]);
const forwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders => Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

const grpcPermissionDenied = 7;

/** The name in the certificate of a session's client. */
function clientOf(session: Http2Session | undefined): string | undefined {
  const socket: unknown = session?.socket;
  // A session's socket is a proxy of it.
  const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject.CN : undefined;
  return Array.isArray(name) ? name[0] : name;
}

/** Listens on a free port of the loopback and forwards unary calls to `target` (`host:port`); with `tls`, to clients with a certificate alone. */
export async function startGrpcProxy(target: string, tls?: ProxyTls): Promise<GrpcProxy> {
  const calls: ProxiedCall[] = [];
  const server = tls === undefined ? createServer() : createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: true });
  const sessions = new Set<ServerHttp2Session>();
  let hanging: (() => void)[] = [];
  const upstream: ClientHttp2Session = connect(`http://${target}`);
  upstream.on('error', () => undefined);
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });

  const pass = (near: ServerHttp2Stream, headers: IncomingHttpHeaders, message: Buffer): void => {
    const far = upstream.request(forwarded(headers));
    let trailers: IncomingHttpHeaders = {};
    far.on('error', () => near.destroy());
    far.on('response', ({ [constants.HTTP2_HEADER_STATUS]: status, ...answered }, flags) => {
      if (near.destroyed) return;
      // Without a body the status of gRPC stands in the headers themselves.
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      near.respond({ ...answered, [constants.HTTP2_HEADER_STATUS]: status }, { waitForTrailers: !endStream, endStream });
    });
    far.on('trailers', (received) => {
      trailers = received;
    });
    near.on('wantTrailers', () => near.sendTrailers(trailers));
    far.pipe(near);
    far.end(message);
  };

  const proxy: GrpcProxy = {
    get address() {
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    calls,
    hang: () => false,
    refuses: () => false,
    release: () => {
      proxy.hang = () => false;
      for (const passOn of hanging) passOn();
      hanging = [];
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
  server.on('stream', (near: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    near.on('error', () => undefined);
    void buffer(near).then((message) => {
      const call = { method: headers[':path']?.split('/').at(-1) ?? '', message, authorization: headers.authorization, client: clientOf(near.session) };
      calls.push(call);
      if (proxy.refuses(call)) {
        near.respond({ [constants.HTTP2_HEADER_STATUS]: 200, 'content-type': 'application/grpc', 'grpc-status': String(grpcPermissionDenied), 'grpc-message': 'Request unauthorized.' }, { endStream: true });
        return;
      }
      const passOn = (): void => pass(near, headers, message);
      if (proxy.hang(call)) hanging.push(passOn);
      else passOn();
    }, () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return proxy;
}
