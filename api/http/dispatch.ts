import type { IncomingMessage } from 'node:http';
import type Joi from 'joi';
import { institutionScope } from '../../db/database';
import { replicaScope } from '../../db/replica';
import { createKeyedSemaphore } from '../../lib/keyedSemaphore';
import type { ClockOffset } from '../../domain/clock';
import type { Caller, Domain } from '../../domain/context';
import { unaudited } from '../../domain/audit/auditedCall';
import type { DisclosureLog } from '../../domain/disclosures/disclosureLog';
import { auditedOperation } from './auditedOperation';
import { describeReads, type DescribeRead } from './disclosedRead';
import { comparesWithClock } from './request/filters';
import { maxBodyBytes, readJsonBody } from './request/jsonBody';
import { closeSignal } from './response/closeSignal';
import { isFileResponse, type OperationRecord, type RequestInput } from './operation';
import { repeatableCall } from './repeatableCall';
import { fingerprintRequest, readIdempotencyKey, replayedHeader } from './request/idempotencyKey';
import type { ServeRecord } from './router';
import type { RequestContext } from './state';
import { sendFile, StreamedFile, type StreamingOptions } from './response/streamedFile';
import { openUpload, type UploadLimits } from './request/upload';
import { validateBody, validateParams, validateQuery } from './request/validate';

/**
 * Called with every successful JSON response, its request body and its caller; the test run validates it against the
 * operation's schema.
 */
export type ResponseInspector = (record: OperationRecord<never>, data: unknown, sent: unknown, caller: Caller) => void;

/** How an API determines the caller and the institution of a matched request. */
export interface CallerGate<Principal> {
  /** Rejects a caller who may not use the operation, before the request is validated. */
  authorize(record: OperationRecord<Principal>, ctx: RequestContext): Principal;
  /** Returns how far the clock is ahead by which times of the request are compared: that of the institution which a path or query names, else the caller's own. */
  findClock(principal: Principal, record: OperationRecord<Principal>, input: RequestInput<unknown, unknown, unknown>): ClockOffset | Promise<ClockOffset>;
  /** Authenticates the caller again: keys are revoked and people suspended while a body is on its way. */
  reauthenticate(ctx: RequestContext): Promise<void>;
  /** Returns the caller of the operation once its input is known; its `now` is the time of this call. */
  resolveCaller(principal: Principal, ctx: RequestContext, record: OperationRecord<Principal>, input: RequestInput<unknown, unknown, unknown>): Caller | Promise<Caller>;
}

/** The dependencies of an API in addition to its operations. */
export interface DispatchOptions extends StreamingOptions {
  uploads: UploadLimits;
  inspect?: ResponseInspector | undefined;
  disclosures: Pick<DisclosureLog, 'add'>;
}

/** The caller is authenticated again after reading a body that took longer than this, in ms. */
const slowBodyMs = 1_000;

/**
 * Maximum number of concurrent exports of one institution, which read chunk after chunk, and how long further ones wait for
 * a slot, in ms.
 */
const maxConcurrentFiles = 4;
const acquireTimeoutMs = 10_000;

async function reauthorize<Principal>(gate: CallerGate<Principal>, record: OperationRecord<Principal>, ctx: RequestContext): Promise<Principal> {
  ctx.state.now = new Date();
  await gate.reauthenticate(ctx);
  return gate.authorize(record, ctx);
}

/** What is found out once of an operation, with its first request. */
interface ServedOperation {
  /** Whether a request has a time that is compared with a clock. */
  isTimed: boolean;
  describeRead: DescribeRead | undefined;
}

const describeServed = (record: OperationRecord<never>): ServedOperation => ({
  isTimed: comparesWithClock(record.request.query) || comparesWithClock(record.request.body),
  describeRead: describeReads(record),
});

/** Handles a matched request: access, validation, handler, response. */
export function dispatch<Principal>(domain: Domain, gate: CallerGate<Principal>, { uploads, inspect, disclosures, ...streaming }: DispatchOptions): ServeRecord<Principal> {
  const served = new Map<OperationRecord<Principal>, ServedOperation>();
  const servedOf = (record: OperationRecord<Principal>): ServedOperation => {
    const known = served.get(record) ?? describeServed(record);
    served.set(record, known);
    return known;
  };
  const fileSemaphore = createKeyedSemaphore(maxConcurrentFiles, acquireTimeoutMs);
  return async (record, raw, ctx) => {
    ctx.state.route = record.path;
    const { isTimed, describeRead } = servedOf(record);
    const authorized = gate.authorize(record, ctx);
    const params = validateParams(record.request.params, raw, record.errors);
    const sentQuery = new URLSearchParams(ctx.querystring);
    const clock = isTimed ? await gate.findClock(authorized, record, { params, query: Object.fromEntries(sentQuery), body: {} }) : undefined;
    const query = validateQuery(record.request.query, sentQuery, clock);
    const key = readIdempotencyKey(record, ctx);
    const { body: bodySchema, upload: uploadRequest } = record.request;
    const upload = uploadRequest === undefined ? undefined : openUpload(ctx.req, uploads, uploadRequest.fields);
    try {
      if (isFileResponse(record.response)) await fileSemaphore.acquireUntil(ctx.state.key?.institution.id ?? '', closeSignal(ctx.res));
      const sent = upload === undefined ? await readBody(ctx.req, bodySchema) : undefined;
      const body = upload === undefined ? validateBody(bodySchema, sent, clock) : undefined;
      const principal = Date.now() - ctx.state.now.getTime() < slowBodyMs ? authorized : await reauthorize(gate, record, ctx);
      const input = { params, query, body };
      const caller: Caller = {
        ...(await gate.resolveCaller(principal, ctx, record, input)),
        ...auditedOperation(record, params, sent),
        ...(ctx.state.progress === undefined ? {} : { progress: ctx.state.progress }),
        ...(key === undefined ? {} : { idempotency: await fingerprintRequest(key, ctx, sent, upload) }),
      };
      const call = repeatableCall(domain, caller);
      const scopeOf = record.reads === 'replica' ? replicaScope : institutionScope;
      const context = { caller, principal, domain, reads: scopeOf(domain.database, caller.institutionId) };
      const data = await call.run(record.transaction, () => record.run(input, context, { commit: call.commit, upload }));
      if (data instanceof StreamedFile) await sendFile(ctx, data, streaming);
      else {
        inspect?.(record, data, body, call.replayed ? unaudited(caller) : caller);
        if (call.replayed) ctx.set(replayedHeader, 'true');
        ctx.set('Cache-Control', 'no-store');
        ctx.status = 200;
        ctx.body = { success: true, data };
      }
      // A response to HEAD, too, says that somebody is there, and how much there is of them.
      const read = describeRead?.(input, data, caller);
      if (read !== undefined) disclosures.add(read);
    } finally {
      await upload?.discard();
    }
  };
}

function readBody(request: IncomingMessage, schema: Joi.ObjectSchema | undefined): Promise<object | undefined> {
  return readJsonBody(request, schema === undefined ? maxBodyBytes.withoutSchema : maxBodyBytes.withSchema, schema);
}
