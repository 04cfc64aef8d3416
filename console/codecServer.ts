import Joi from 'joi';
import type Keygrip from 'keygrip';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { bearerToken } from '../api/http/security/bearerToken';
import { maxBodyBytes, readJsonBody } from '../api/http/request/jsonBody';
import type { ApiMiddleware, RequestContext } from '../api/http/state';
import type { Domain } from '../domain/context';
import { DomainError, validationError } from '../domain/errors';
import { findStaffToken } from '../domain/staff/tokens';
import type { TemporalUi } from '../domain/workflowView';
import { createSessions, type Sessions } from './session';

/** What decodes payloads for Temporal's Web UI. */
export interface CodecServerOptions {
  /** Undefined where payloads are not encrypted: then there is nothing to decode. */
  payloadCodec: PayloadCodec | undefined;
  domain: Domain;
  temporalUi: TemporalUi;
  /** They sign the cookies of the console. */
  signingKeys: Keygrip;
}

/** Below the path of the console's cookie, so that browsers send it. */
const path = '/console/codec/decode';
/** Maximum number of payloads of a request. */
const maxPayloads = 1_000;
/** How long a browser keeps the response to its preflight request, in seconds. */
const preflightSeconds = 600;

interface WirePayload {
  metadata?: Record<string, string>;
  data?: string;
}

const base64 = Joi.string().base64().allow('');
const bodySchema = Joi.object<{ payloads: WirePayload[] }>({
  payloads: Joi.array().max(maxPayloads).required().items(Joi.object({ metadata: Joi.object().pattern(Joi.string(), base64), data: base64 }).unknown(true)),
}).unknown(true);

/**
 * Returns the codec server of Temporal's Web UI and command line: `POST /console/codec/decode` decrypts the payloads of a request, in
 * the form of protobuf's JSON. For staff alone: with the console's session, from the origin of the Web UI, or with a personal token.
 * It encrypts nothing. Other paths go to the next middleware, and this one too without keys.
 */
export function codecServer({ payloadCodec, domain, temporalUi, signingKeys }: CodecServerOptions): ApiMiddleware {
  const sessions = createSessions(signingKeys, domain);
  const uiOrigin = new URL(temporalUi.url).origin;
  return async (ctx, next) => {
    if (payloadCodec === undefined || ctx.path !== path) {
      await next();
      return;
    }
    ctx.state.route = path;
    ctx.set('Cache-Control', 'no-store');
    allowOrigin(ctx, uiOrigin);
    if (ctx.method === 'OPTIONS') {
      ctx.set({ 'Access-Control-Allow-Methods': 'POST', 'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Namespace', 'Access-Control-Max-Age': String(preflightSeconds) });
      ctx.status = 204;
      return;
    }
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST, OPTIONS');
      throw new DomainError('not_implemented', 'The codec server supports POST.');
    }
    if (!(await isStaff(ctx, domain, sessions, uiOrigin))) throw new DomainError('unauthorized', 'Sign in to the support console in this browser, or send a personal token.');
    ctx.body = { payloads: (await decode(payloadCodec, await readPayloads(ctx))).map(toWire) };
  };
}

/** Lets the pages of the Web UI read the response; `forbidden` for those of any other origin. */
function allowOrigin(ctx: RequestContext, uiOrigin: string): void {
  const origin = ctx.get('Origin');
  ctx.vary('Origin');
  if (origin === '') return;
  if (origin !== uiOrigin) throw new DomainError('forbidden', 'Browser calls from this origin are not allowed.');
  ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
}

async function isStaff(ctx: RequestContext, domain: Domain, sessions: Sessions, uiOrigin: string): Promise<boolean> {
  const token = bearerToken(ctx);
  if (token !== undefined) return (await findStaffToken(domain.database, token, ctx.state.now)) !== undefined;
  // A cookie counts only where a browser names the page that sends it.
  return ctx.get('Origin') === uiOrigin && (await sessions.read(ctx)) !== undefined;
}

async function readPayloads({ req }: RequestContext): Promise<Payload[]> {
  const checked = bodySchema.validate(await readJsonBody(req, maxBodyBytes.withSchema), { errors: { wrap: { label: false } } });
  if (checked.error !== undefined) {
    const path = checked.error.details[0]?.path ?? [];
    throw validationError({ path: path.length === 0 ? 'body' : path.join('.'), message: checked.error.message });
  }
  return checked.value.payloads.map(({ metadata = {}, data = '' }) => ({
    metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')])),
    data: Buffer.from(data, 'base64'),
  }));
}

async function decode(codec: PayloadCodec, payloads: Payload[]): Promise<Payload[]> {
  try {
    return await codec.decode(payloads);
  } catch (error) {
    throw new DomainError('validation_error', 'A payload was not encrypted with a key of TEMPORAL_CODEC_KEYS, or was changed.', {}, { cause: error });
  }
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const toWire = ({ metadata, data }: Payload): WirePayload => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, bytes]) => [name, toBase64(bytes)])),
  data: toBase64(data ?? Buffer.alloc(0)),
});
