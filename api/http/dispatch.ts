import type { IncomingMessage } from 'node:http';
import type Joi from 'joi';
import { institutionScope } from '../../db/database';
import { createKeyedSemaphore } from '../../lib/keyedSemaphore';
import type { ClockOffset } from '../../domain/clock';
import type { Caller, Domain } from '../../domain/context';
import { transact } from '../../domain/transact';
import { auditedOperation } from './auditedOperation';
import { maxBodyBytes, readJsonBody } from './request/jsonBody';
import { closeSignal } from './response/closeSignal';
import { isFileResponse, type OperationRecord, type RequestInput } from './operation';
import type { ServeRecord } from './router';
import type { RequestContext, RequestState } from './state';
import { sendFile, StreamedFile, type StreamingOptions } from './response/streamedFile';
import { openUpload, type UploadLimits } from './request/upload';
import { validateBody, validateParams, validateQuery } from './request/validate';

/** Sees every successful answer of JSON, the body that asked for it, and for whom; the test run checks it against the record's own schema. */
export type ResponseInspector = (record: OperationRecord<never>, data: unknown, sent: unknown, caller: Caller) => void;

/** How one API turns a matched request into who asks and on whose behalf. */
export interface CallerGate<Principal> {
  /** Refuses a caller who may not use the operation, before anything of the request is validated. */
  authorize(record: OperationRecord<Principal>, ctx: RequestContext): Principal;
  /** Authenticates the caller again: keys are revoked and people suspended while a body is on its way. */
  reauthenticate(ctx: RequestContext): Promise<void>;
  /** On whose behalf the operation runs, once its input is known; the time of its rules is counted from then. */
  resolveCaller(principal: Principal, ctx: RequestContext, record: OperationRecord<Principal>, input: RequestInput<unknown, unknown, unknown>): Caller | Promise<Caller>;
}

/** What the frame of an API needs in addition to its operations. */
export interface DispatchOptions extends StreamingOptions {
  uploads: UploadLimits;
  inspect?: ResponseInspector | undefined;
}

/** A body that took longer than this, in ms, is a reason to ask again who sends it. */
const slowBodyMs = 1_000;

/** Files made for one institution at the same time: each reads chunk after chunk. Further ones wait for a slot, at most this long, in ms. */
const maxConcurrentFiles = 4;
const acquireTimeoutMs = 10_000;

async function reauthorize<Principal>(gate: CallerGate<Principal>, record: OperationRecord<Principal>, ctx: RequestContext): Promise<Principal> {
  ctx.state.now = new Date();
  await gate.reauthenticate(ctx);
  return gate.authorize(record, ctx);
}

/** How far the clock of the caller's own institution is ahead; 0 for callers without one. */
const clockOfState = ({ key, platform }: RequestState): ClockOffset => key ?? platform?.institution ?? { clockOffsetMs: 0 };

/** Serves a matched request: scope, validation, handler, response. */
export function dispatch<Principal>(domain: Domain, gate: CallerGate<Principal>, { uploads, inspect, ...streaming }: DispatchOptions): ServeRecord<Principal> {
  const fileSemaphore = createKeyedSemaphore(maxConcurrentFiles, acquireTimeoutMs);
  return async (record, raw, ctx) => {
    ctx.state.route = record.path;
    const authorized = gate.authorize(record, ctx);
    const params = validateParams(record.request.params, raw, record.errors);
    const query = validateQuery(record.request.query, new URLSearchParams(ctx.querystring), clockOfState(ctx.state));
    const { body: bodySchema, upload: uploadRequest } = record.request;
    const upload = uploadRequest === undefined ? undefined : openUpload(ctx.req, uploads, uploadRequest.fields);
    try {
      if (isFileResponse(record.response)) await fileSemaphore.acquireUntil(ctx.state.key?.institution.id ?? '', closeSignal(ctx.res));
      const sent = upload === undefined ? await readBody(ctx.req, bodySchema) : undefined;
      const body = upload === undefined ? validateBody(bodySchema, sent, clockOfState(ctx.state)) : undefined;
      const principal = Date.now() - ctx.state.now.getTime() < slowBodyMs ? authorized : await reauthorize(gate, record, ctx);
      const input = { params, query, body };
      const caller = { ...(await gate.resolveCaller(principal, ctx, record, input)), ...auditedOperation(record, params, sent) };
      const data = await record.run(
        input,
        { caller, principal, domain, reads: institutionScope(domain.database, caller.institutionId) },
        { transaction: (work) => transact(domain, caller, work), upload },
      );
      if (data instanceof StreamedFile) {
        await sendFile(ctx, data, streaming);
        return;
      }
      inspect?.(record, data, body, caller);
      ctx.set('Cache-Control', 'no-store');
      ctx.status = 200;
      ctx.body = { success: true, data };
    } finally {
      await upload?.discard();
    }
  };
}

function readBody(request: IncomingMessage, schema: Joi.ObjectSchema | undefined): Promise<object | undefined> {
  return readJsonBody(request, schema === undefined ? maxBodyBytes.withoutSchema : maxBodyBytes.withSchema);
}
