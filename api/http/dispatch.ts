import type { IncomingMessage } from 'node:http';
import type Joi from 'joi';
import { institutionScope } from '../../db/database';
import { createTurns } from '../../lib/keyedSemaphore';
import type { Caller, Domain } from '../../domain/context';
import { transact } from '../../domain/transact';
import { operationOf } from './auditedOperation';
import { bodyLimits, readJsonBody } from './request/jsonBody';
import { closeSignal } from './response/closeSignal';
import { isFileAnswer, type EndpointRecord, type RequestInput } from './operation';
import { MethodNotImplemented, type Router } from './router';
import type { ApiMiddleware, RequestContext } from './state';
import { answerFile, StreamedFile, type Streaming } from './response/streamedFile';
import { openUpload, type UploadLimits } from './request/upload';
import { validateBody, validateParams, validateQuery } from './request/validate';

/** Sees every successful answer of JSON, the body that asked for it, and for whom; the test run checks it against the record's own schema. */
export type AnswerInspector = (record: EndpointRecord<never>, data: unknown, sent: unknown, caller: Caller) => void;

/** How one API turns a matched request into who asks and on whose behalf. */
export interface Gate<Who> {
  /** Refuses a caller who may not use the operation, before anything of the request is validated. */
  admit(record: EndpointRecord<Who>, ctx: RequestContext): Who;
  /** Learns anew who asks: keys are revoked and people suspended while a body is on its way. */
  again(ctx: RequestContext): Promise<void>;
  /** On whose behalf the operation runs, once its input is known; the time of its rules is counted from then. */
  callerOf(who: Who, ctx: RequestContext, record: EndpointRecord<Who>, input: RequestInput<unknown, unknown, unknown>): Caller | Promise<Caller>;
}

/** What the frame of an API needs beside its operations. */
export interface Frame extends Streaming {
  uploads: UploadLimits;
  inspect?: AnswerInspector | undefined;
}

/** A body that took longer than this, in ms, is a reason to ask again who sends it. */
const longBodyMs = 1_000;

/** Files that are made for one institution at the same time: each reads chunk after chunk. Further ones wait for their turn, so many ms. */
const filesAtOnce = 4;
const turnWaitMs = 10_000;

async function admitAgain<Who>(gate: Gate<Who>, record: EndpointRecord<Who>, ctx: RequestContext): Promise<Who> {
  ctx.state.now = new Date();
  await gate.again(ctx);
  return gate.admit(record, ctx);
}

/** Route, scope, validation, handler, answer: the last middleware of an API. */
export function dispatch<Who>(domain: Domain, router: Router<Who>, gate: Gate<Who>, { uploads, inspect, ...streaming }: Frame): ApiMiddleware {
  const files = createTurns(filesAtOnce, turnWaitMs);
  return async (ctx) => {
    const { record, params: raw } = route(router, ctx);
    const admitted = gate.admit(record, ctx);
    const params = validateParams(record.request.params, raw, record.errors);
    const query = validateQuery(record.request.query, new URLSearchParams(ctx.querystring));
    const { body: bodySchema, upload: wanted } = record.request;
    const upload = wanted === undefined ? undefined : openUpload(ctx.req, uploads, wanted.fields);
    try {
      if (isFileAnswer(record.response)) await files.hold(ctx.state.key?.institution.id ?? '', closeSignal(ctx.res));
      const sent = upload === undefined ? await readBody(ctx.req, bodySchema) : undefined;
      const body = upload === undefined ? validateBody(bodySchema, sent) : undefined;
      const who = Date.now() - ctx.state.now.getTime() < longBodyMs ? admitted : await admitAgain(gate, record, ctx);
      const input = { params, query, body };
      const caller = { ...(await gate.callerOf(who, ctx, record, input)), ...operationOf(record, params, sent) };
      const data = await record.run(
        input,
        { caller, who, domain, reads: institutionScope(domain.database, caller.institutionId) },
        { transaction: (work) => transact(domain, caller, work), upload },
      );
      if (data instanceof StreamedFile) {
        await answerFile(ctx, data, streaming);
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
  return readJsonBody(request, schema === undefined ? bodyLimits.unwanted : bodyLimits.wanted);
}

function route<Who>(router: Router<Who>, ctx: RequestContext): ReturnType<Router<Who>> {
  try {
    const match = router(ctx.method, ctx.path);
    ctx.state.route = match.record.path;
    return match;
  } catch (error) {
    if (error instanceof MethodNotImplemented) ctx.set('Allow', error.allow);
    throw error;
  }
}
