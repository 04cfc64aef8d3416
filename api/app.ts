import Koa from 'koa';
import type { Redis } from 'ioredis';
import type { FileStoreSettings } from '../config/fileStoreUrl';
import type { Logger } from '../config/logger';
import { clockOf } from '../domain/clock';
import type { Caller, Domain } from '../domain/context';
import { DomainError } from '../domain/errors';
import { grants, type Scope } from '../domain/scopes';
import { respondWithErrors } from './http/response/respondWithErrors';
import { authenticateApiKey } from './http/security/authenticateApiKey';
import { dispatch, type DispatchOptions, type CallerGate } from './http/dispatch';
import { serveOpenApiDocument } from './http/openapi/serveDocument';
import type { AuthenticatedKey } from './http/access';
import { fileDownloads } from './http/response/fileDownloads';
import { serviceRoot } from './http/response/serviceRoot';
import { explorer } from './http/openapi/explorer/explorer';
import { securityHeaders } from './http/security/securityHeaders';
import { logRequests } from './http/requestLog';
import type { Metrics } from './http/metrics';
import { explainOtherKinds } from './http/otherKind';
import { explainSandboxIds } from './http/sandboxIds';
import { publicDocument } from './http/openapi/publicDocument';
import { originPolicy } from './http/security/originPolicy';
import { rateLimit } from './http/security/rateLimit';
import { requireWritable } from './http/security/readOnly';
import { assignRequestId } from './http/requestId';
import { traceRequests } from './http/traceRequests';
import { decodeRoutePath, operationRoutes, outsidePrefix, unknownPath } from './http/router';
import type { ApiMiddleware, RequestContext, RequestState } from './http/state';
import { largeBodies, limitConcurrency, uploadRoutes } from './http/security/limitConcurrency';
import { publicOperations } from './operations/public';

/** What the public API needs from the process that runs it. */
export interface PublicAppDeps extends DispatchOptions {
  domain: Domain;
  redis: Redis;
  logger: Logger;
  metrics: Metrics;
  /** Whether requests are recorded as traces. */
  isTracing: boolean;
  publicBaseUrl: string;
  ownOrigins: readonly string[];
  fileStore: FileStoreSettings;
}

/** Returns the error of a key without some of the required scopes; it names the ceiling that keeps the key from them. */
function missingScopes({ scopeCeiling }: AuthenticatedKey, required: readonly Scope[], missing: readonly Scope[]): DomainError {
  const isAbove = scopeCeiling !== null && missing.some((scope) => !grants(scopeCeiling, scope));
  const [named, them] = missing.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
  const wayOut = isAbove ? `. Keys of the developer who created it may use at most: ${scopeCeiling.join(', ') || 'no scope'}.` : `: make a key with ${them} in the portal.`;
  return new DomainError('insufficient_scope', `This key lacks the ${named} ${missing.join(', ')}${wayOut} GET /v1/me shows the scopes of this one.`, { required: [...required], missing: [...missing] });
}

/** A key may call an operation that its scopes cover, for its own institution only. */
const keyGate = (authentication: ApiMiddleware): CallerGate<AuthenticatedKey> => ({
  findClock: (principal) => principal,
  reauthenticate: async (ctx) => {
    await authentication(ctx, () => Promise.resolve());
  },
  authorize: (record, ctx) => {
    const { key } = ctx.state;
    if (key === undefined || record.access.by !== 'key') throw new Error('authorize requires an authenticated key and an operation with key access');
    const { scope, besides, environment, duringReset } = record.access;
    if (environment === 'test' && key.environment !== 'test') throw new DomainError('not_found', 'This operation exists for test keys (svc_test_…) alone.');
    const required = scope === null ? besides : [scope, ...besides];
    const missing = required.filter((one) => !grants(key.scopes, one));
    if (missing.length > 0) throw missingScopes(key, required, missing);
    if (key.isSandboxResetting && duringReset !== true) throw new DomainError('conflict', 'The sandbox is being reset; try again when it is done.');
    requireWritable(record, key.readOnlyUntil);
    return key;
  },
  resolveCaller: (key, ctx: RequestContext): Caller => ({
    institutionId: key.institution.id,
    actor: { kind: 'key', id: key.id },
    requestId: ctx.state.requestId,
    ...clockOf(key.clockOffsetMs),
  }),
});

/** Every path that somebody may have meant: those of the operations, and the reference in its three forms. */
const servedPaths = [...publicOperations, { path: '/docs' }, { path: '/openapi.json' }, { path: '/llms.txt' }];

/** The public API, `/v1`: the order of its middlewares is the order in which a request is checked. */
export function createPublicApp(parts: PublicAppDeps): Koa<RequestState> {
  const { domain, redis, logger, metrics } = parts;
  const app = new Koa<RequestState>();
  const authentication = authenticateApiKey(domain.database, logger);
  app.use(assignRequestId());
  app.use(securityHeaders(parts.publicBaseUrl));
  if (parts.isTracing) app.use(traceRequests('public'));
  app.use(logRequests(logger, metrics, 'public'));
  app.use(respondWithErrors(logger));
  app.use(originPolicy(parts.ownOrigins));
  app.use(serviceRoot(parts.publicBaseUrl));
  app.use(serveOpenApiDocument('/v1', { records: publicOperations, baseUrl: parts.publicBaseUrl, describe: publicDocument }));
  app.use(explorer('/v1', parts.publicBaseUrl, () => publicDocument(publicOperations, parts.publicBaseUrl)));
  if (parts.fileStore.kind === 'folder') app.use(fileDownloads('/v1', domain));
  app.use(outsidePrefix('/v1', servedPaths));
  app.use(authentication);
  app.use(rateLimit(redis));
  app.use(limitConcurrency(largeBodies, uploadRoutes('/v1', publicOperations)));
  app.use(decodeRoutePath('/v1'));
  const serve = explainOtherKinds('/v1', publicOperations, dispatch(domain, keyGate(authentication), parts));
  app.use(operationRoutes('/v1', publicOperations, explainSandboxIds(domain, serve)).routes());
  app.use(unknownPath('/v1', servedPaths));
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'connection ended early'));
  return app;
}
