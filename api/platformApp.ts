import Koa from 'koa';
import type { Redis } from 'ioredis';
import type { PayloadCodec } from '@temporalio/common';
import type { Logger } from '../config/logger';
import type { ServiceKeys } from '../config/serviceKeys';
import { codecServer } from '../console/codecServer';
import { supportConsole } from '../console/console';
import { eachSigningKey, signingKeys } from '../console/signingKeys';
import type { Domain } from '../domain/context';
import type { IdentityProvider } from '../domain/staff/identityProvider';
import type { TemporalUi } from '../domain/workflowView';
import { respondWithErrors } from './http/response/respondWithErrors';
import { dispatch, type DispatchOptions } from './http/dispatch';
import { serveOpenApiDocument } from './http/openapi/serveDocument';
import { securityHeaders } from './http/security/securityHeaders';
import { logRequests } from './http/requestLog';
import type { Metrics } from './http/metrics';
import { platformDocument } from './http/openapi/platformDocument';
import { assignRequestId } from './http/requestId';
import { traceRequests } from './http/traceRequests';
import { originPolicy } from './http/security/originPolicy';
import { decodeRoutePath, operationRoutes, publicPathOfPlatform, unknownPath } from './http/router';
import type { ApiMiddleware, RequestState } from './http/state';
import { platformGate } from './http/security/platformGate';
import type { Dependency } from '../lib/readiness';
import { assignClientAddress } from './http/security/clientAddress';
import { limitClientAddress } from './http/security/limitClientAddress';
import { hostPolicy } from './http/security/hostPolicy';
import { liveness, readinessAndMetrics } from './http/response/health';
import { auditedOperations } from './operations/audited';
import { platformOperations } from './operations/platform';
import { authenticateCaller } from './http/security/authenticateCaller';

/** What the platform API needs from the process that runs it. */
export interface PlatformAppDeps extends DispatchOptions {
  domain: Domain;
  logger: Logger;
  metrics: Metrics;
  /** Whether requests are recorded as traces. */
  isTracing: boolean;
  /** The newest first. */
  platformTokens: readonly string[];
  /** They sign the console's sessions, with the platform tokens. */
  keys: ServiceKeys;
  identityProvider: IdentityProvider | undefined;
  platformHost: string;
  platformNames: readonly string[];
  temporalUi: TemporalUi;
  /** What decrypts payloads of workflows; undefined where they are not encrypted. */
  payloadCodec: PayloadCodec | undefined;
  dependencies: readonly Dependency[];
  /** Whether the process has been asked to stop. */
  isStopping: () => boolean;
  redis: Redis;
  trustedProxies: readonly string[];
  /** What one caller may have in progress, on this listener and that of the apps together. */
  concurrencyLimits: readonly ApiMiddleware[];
}

/** The platform API, `/platform/v1`, with health, metrics and the support console; meant for the loopback listener. */
export function createPlatformApp(parts: PlatformAppDeps): Koa<RequestState> {
  const { domain, logger, metrics } = parts;
  const app = new Koa<RequestState>();
  app.keys = signingKeys(parts.platformTokens, parts.keys);
  app.use(assignRequestId());
  app.use(securityHeaders());
  if (parts.isTracing) app.use(traceRequests('platform'));
  app.use(logRequests(logger, metrics, 'platform'));
  app.use(respondWithErrors(logger));
  app.use(hostPolicy(parts));
  app.use(codecServer({ ...parts, signingKeys: app.keys }));
  // The console checks its own forms; every other path rejects browsers.
  app.use(supportConsole({ ...parts, auditedOperations, signingKeys: app.keys, eachSigningKey: eachSigningKey(parts.platformTokens, parts.keys) }));
  app.use(originPolicy([]));
  app.use(liveness());
  app.use(readinessAndMetrics(parts));
  app.use(serveOpenApiDocument('/platform/v1', { records: platformOperations, baseUrl: '/platform/v1', describe: platformDocument }));
  app.use(publicPathOfPlatform());
  app.use(assignClientAddress(parts.trustedProxies));
  app.use(limitClientAddress(parts.redis));
  const authentication = authenticateCaller(domain, parts.platformTokens);
  app.use(authentication);
  for (const limit of parts.concurrencyLimits) app.use(limit);
  app.use(decodeRoutePath('/platform/v1'));
  app.use(operationRoutes('/platform/v1', platformOperations, dispatch(domain, platformGate(domain, authentication), parts)).routes());
  app.use(unknownPath('/platform/v1', platformOperations));
  app.on('error', (error: unknown) => {
    logger.warn({ err: error }, 'connection ended early');
  });
  return app;
}
