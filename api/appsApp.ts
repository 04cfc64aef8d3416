import Koa from 'koa';
import type { Redis } from 'ioredis';
import type { Logger } from '../config/logger';
import type { Domain } from '../domain/context';
import { dispatch, type DispatchOptions } from './http/dispatch';
import type { Metrics } from './http/metrics';
import { appsDocument } from './http/openapi/platformDocument';
import { serveOpenApiDocument } from './http/openapi/serveDocument';
import { logRequests } from './http/requestLog';
import { assignRequestId } from './http/requestId';
import { traceRequests } from './http/traceRequests';
import { liveness } from './http/response/health';
import { respondWithErrors } from './http/response/respondWithErrors';
import { decodeRoutePath, operationRoutes, outsidePrefix, publicPathOfPlatform, unknownPath } from './http/router';
import { authenticateSession } from './http/security/authenticateCaller';
import { assignClientAddress } from './http/security/clientAddress';
import { limitAllCalls, limitClientAddress } from './http/security/limitClientAddress';
import { originPolicy } from './http/security/originPolicy';
import { platformGate } from './http/security/platformGate';
import { securityHeaders } from './http/security/securityHeaders';
import type { ApiMiddleware, RequestState } from './http/state';
import { appsOperations } from './operations/apps';

/** What the apps' listener needs from the process that runs it. */
export interface AppsAppDeps extends DispatchOptions {
  domain: Domain;
  logger: Logger;
  metrics: Metrics;
  /** Whether requests are recorded as traces. */
  isTracing: boolean;
  redis: Redis;
  /** Where it is https, this listener is behind TLS, too. */
  publicBaseUrl: string;
  /** The origins of pages that may call from a browser. */
  origins: readonly string[];
  trustedProxies: readonly string[];
  /** What one caller may have in progress, on this listener and the platform's together. */
  concurrencyLimits: readonly ApiMiddleware[];
}

/**
 * The operations of the platform API for apps, guardians and people who sign in, under the same paths, for the Internet behind
 * TLS: without the platform's token, without portal, support and metrics.
 */
export function createAppsApp(parts: AppsAppDeps): Koa<RequestState> {
  const { domain, logger, metrics, redis } = parts;
  const app = new Koa<RequestState>();
  app.use(assignRequestId());
  app.use(securityHeaders(parts.publicBaseUrl));
  if (parts.isTracing) app.use(traceRequests('apps'));
  app.use(logRequests(logger, metrics, 'apps'));
  app.use(respondWithErrors(logger));
  app.use(liveness());
  app.use(originPolicy(parts.origins));
  app.use(serveOpenApiDocument('/platform/v1', { records: appsOperations, baseUrl: '/platform/v1', describe: appsDocument }));
  app.use(publicPathOfPlatform());
  app.use(outsidePrefix('/platform/v1', appsOperations));
  app.use(assignClientAddress(parts.trustedProxies));
  app.use(limitAllCalls(redis));
  app.use(limitClientAddress(redis));
  const authentication = authenticateSession(domain);
  app.use(authentication);
  for (const limit of parts.concurrencyLimits) app.use(limit);
  app.use(decodeRoutePath('/platform/v1'));
  app.use(operationRoutes('/platform/v1', appsOperations, dispatch(domain, platformGate(domain, authentication), parts)).routes());
  app.use(unknownPath('/platform/v1', appsOperations));
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'connection ended early'));
  return app;
}
