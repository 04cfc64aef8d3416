import { verifyWebhook, webhookHandler, type Event, type WebhookHandler, type WebhookHandlerOptions, type WebhookStore } from '../../clients/typescript/src';
import { newId } from '../../domain/ids';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import { newSigningKey } from '../../domain/webhooks/signingKeys';
import { eventually } from '../support/eventually';
import { eventBody, frameworks, postBody, postSigned, startExpressRaw, type Parser, type PostedEvent, type WebhookServer } from '../support/webhookReceivers';

const secret = newWebhookSecret();
const servers: WebhookServer[] = [];
let handled: Event[];
let errors: unknown[];

beforeEach(() => {
  handled = [];
  errors = [];
});

afterAll(() => Promise.all(servers.map(({ close }) => close())));

const hooksOf = (options: Partial<WebhookHandlerOptions> = {}): WebhookHandler =>
  webhookHandler({ secret, onEvent: (event) => void handled.push(event), onError: (error) => void errors.push(error), ...options });

async function urlOf(starting: Promise<WebhookServer>): Promise<string> {
  const server = await starting;
  servers.push(server);
  return server.url;
}

/** The URL of a handler on node:http. */
const served = (options?: Partial<WebhookHandlerOptions>): Promise<string> => urlOf(frameworks['node:http'](hooksOf(options)));

const post = (url: string, event: PostedEvent = {}, by = secret): ReturnType<typeof postSigned> => postSigned(url, by, eventBody(event));
const handledIds = (): string[] => handled.map(({ id }) => id);

/** A function that waits until the gate is open. */
function gate(): { pass: () => Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => { open = resolve; });
  return { pass: () => opened, open };
}

describe.each(Object.entries(frameworks))('on %s', (name, start) => {
  const startOn = (options?: Partial<WebhookHandlerOptions>, parser?: Parser): Promise<string> => urlOf(start(hooksOf(options), parser));

  it('an event is passed once, byte for byte as it was signed, and answered 204 every time', async () => {
    const url = await startOn();
    const event = { id: newId('evt'), data: { student_id: 'Zoë 😀' } };
    expect([(await post(url, event)).status, (await post(url, event)).status]).toEqual([204, 204]);
    expect(handled).toEqual([expect.objectContaining(event)]);
  });

  it('the response comes after the function has ended', async () => {
    const { pass, open } = gate();
    const url = await startOn({ onEvent: async (event) => { handled.push(event); await pass(); } });
    let status = 0;
    const posted = post(url).then((response) => { status = response.status; });
    await eventually('the function', () => handled.length === 1);
    expect(status).toBe(0);
    open();
    await posted;
    expect(status).toBe(204);
  });

  it('a function that throws is answered 500, and gets the event again', async () => {
    const failure = new Error('The database is away');
    const url = await startOn({ onEvent: (event) => { handled.push(event); if (handled.length === 1) throw failure; } });
    const event = { id: newId('evt') };
    const responses = [await post(url, event), await post(url, event), await post(url, event)];
    expect(responses.map(({ status, error }) => [status, error])).toEqual([[500, 'handler_failed'], [204, undefined], [204, undefined]]);
    expect([handledIds(), errors]).toEqual([[event.id, event.id], [failure]]);
  });

  it('the same event is answered 503 while it is processed, another one is not', async () => {
    const { pass, open } = gate();
    const url = await startOn({ onEvent: async (event) => { handled.push(event); if (handled.length === 1) await pass(); } });
    const event = { id: newId('evt') };
    const first = post(url, event);
    await eventually('the function', () => handled.length === 1);
    const during = await post(url, event);
    expect([during.status, during.error, during.headers.get('retry-after')]).toEqual([503, 'in_progress', '5']);
    expect((await post(url)).status).toBe(204);
    open();
    expect([(await first).status, (await post(url, event)).status, handled.length]).toEqual([204, 204, 2]);
  });

  it('Standard Webhooks alone will do, and so does the public key of the endpoint, with which no secret can be forged', async () => {
    const key = newSigningKey();
    const [bySecret, byKey] = [await startOn(), await startOn({ secret: key.publicKey })];
    const body = eventBody();
    const { 'x-svc-signature': service, ...standard } = signWebhook({ secrets: [secret], signingKeys: [key.privateKey], eventId: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1_000), body });
    expect((await postBody(bySecret, body, standard)).status).toBe(204);
    expect((await postBody(byKey, body, standard)).status).toBe(204);
    expect(await postBody(byKey, `${body} `, standard)).toMatchObject({ status: 401, error: 'signature_invalid' });
    expect(await postBody(byKey, body, { 'x-svc-signature': service })).toMatchObject({ status: 401, error: 'signature_missing' });
  });

  it('what is not signed with the secret is answered 401, what is not posted 405, what is too long 413', async () => {
    const url = await startOn({ maxBodyBytes: 1_000 });
    expect(await post(url, {}, newWebhookSecret())).toMatchObject({ status: 401, error: 'signature_invalid' });
    expect((await fetch(url, { method: 'POST', body: eventBody() })).status).toBe(401);
    expect((await fetch(url)).status).toBe(name === 'Fastify' ? 404 : 405);
    expect(await post(url, { data: { text: 'x'.repeat(1_000) } })).toMatchObject({ status: 413, error: 'body_too_large' });
    expect([handled, errors]).toEqual([[], []]);
  });

  it('the connection of a body that is too long is closed: its rest is unread', async () => {
    const url = await startOn({ maxBodyBytes: 1_000 });
    const answered = await fetch(url, { method: 'POST', body: 'x'.repeat(100_000), headers: { 'x-svc-signature': `t=1,v1=${'a'.repeat(64)}` } });
    expect([answered.status, answered.headers.get('connection')]).toEqual([413, 'close']);
  });
});

describe.each(['Express', 'Koa', 'the fetch API'] as const)('on %s, a body parser before the handler', (name) => {
  it('is answered 500, with an error that says what to do', async () => {
    const url = await urlOf(frameworks[name](hooksOf(), 'before'));
    expect(await post(url)).toMatchObject({ status: 500, error: 'body_consumed' });
    expect(errors).toEqual([expect.objectContaining({ name: 'WebhookBodyError', reason: 'body_consumed', message: expect.stringContaining('Mount the handler before any body parser') })]);
    expect(handled).toEqual([]);
  });
});

it('express.raw() before the handler leaves what it needs', async () => {
  const url = await urlOf(startExpressRaw(hooksOf({ maxBodyBytes: 1_000 })));
  expect((await post(url)).status).toBe(204);
  expect((await post(url, { data: { text: 'x'.repeat(1_000) } })).status).toBe(413);
  expect(handled).toHaveLength(1);
});

it('the plugin of Fastify leaves the parsers of other routes as they are', async () => {
  const url = await urlOf(frameworks.Fastify(hooksOf()));
  const response = await fetch(new URL('/other', url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
  expect(await response.json()).toEqual({ a: 1 });
});

it('`on` gets the events of its types, `onEvent` all others, those of unknown types too', async () => {
  const created: unknown[] = [];
  const url = await served({ on: { 'student.created': (event) => void created.push(event.id) } });
  const ids = [newId('evt'), newId('evt'), newId('evt')];
  const types = ['student.created', 'student.expelled', 'toString'];
  for (const [nth, type] of types.entries()) expect((await post(url, { id: ids[nth] ?? '', type })).status).toBe(204);
  expect([created, handledIds()]).toEqual([ids.slice(0, 1), ids.slice(1)]);
});

it('an event that no function wants is answered 204 and claimed by nobody', async () => {
  const store: WebhookStore = { claim: () => { throw new Error('claimed'); }, complete: () => undefined, release: () => undefined };
  const url = await urlOf(frameworks['node:http'](webhookHandler({ secret, store, on: { 'student.created': () => undefined } })));
  expect((await post(url, { type: 'exam.graded' })).status).toBe(204);
});

it('a ping that no function wants is recorded in the store, so that a test says whether the store works', async () => {
  const failure = new Error('The table is missing');
  const recorded: string[] = [];
  const broken: WebhookStore = { claim: () => { throw failure; }, complete: () => undefined, release: () => undefined };
  const kept: WebhookStore = { claim: () => 'claimed', complete: (id) => recorded.push(id), release: () => undefined };
  const on = { 'student.created': () => undefined };
  const [ofBroken, ofKept] = await Promise.all([broken, kept].map((store) => served({ on, onEvent: undefined, store })));
  expect(await post(ofBroken ?? '', { type: 'ping' })).toMatchObject({ status: 503, error: 'store_unavailable' });
  expect((await post(ofKept ?? '', { id: 'evt_1', type: 'ping' })).status).toBe(204);
  expect([errors, recorded]).toEqual([[failure], ['evt_1']]);
});

it('each of several secrets is accepted', async () => {
  const other = newWebhookSecret();
  const url = await served({ secret: [other, secret] });
  expect([(await post(url)).status, (await post(url, {}, other)).status]).toEqual([204, 204]);
});

it('a limit that is undefined is the default', async () => {
  // As a program in JavaScript may give it.
  const limits: object = { maxBodyBytes: undefined, answerWithinMs: undefined, leaseMs: undefined };
  const url = await served({ ...limits, onEvent: async (event) => { await new Promise((resolve) => { setImmediate(resolve); }); handled.push(event); } });
  expect((await post(url, { data: { text: 'x'.repeat(1_048_577) } })).status).toBe(413);
  expect((await post(url)).status).toBe(204);
});

it('the claim of a process that was killed ends after a minute, or after leaseMs', async () => {
  const leases: number[] = [];
  const store: WebhookStore = { claim: (_id, _token, leaseMs) => { leases.push(leaseMs); return 'claimed'; }, complete: () => undefined, release: () => undefined };
  for (const leaseMs of [undefined, 90_000]) expect((await post(await served({ store, leaseMs }))).status).toBe(204);
  expect(leases).toEqual([60_000, 90_000]);
});

it.each([[{ id: 'evt_1' }], [undefined], [new ArrayBuffer(2)]])('%j is refused as a body, whose bytes are gone', (parsed) => {
  const given: unknown = parsed;
  expect(() => verifyWebhook(given as string, undefined, secret)).toThrow(new TypeError('rawBody must be the bytes of the request as they came (Buffer, Uint8Array or text), not a parsed object: take it before the body parser'));
});

it('a delivery that is played again after five minutes is refused, with a reason that names the clock', async () => {
  expect(await postSigned(await served(), secret, eventBody(), 301)).toMatchObject({ status: 401, error: 'timestamp_invalid' });
});

it('a signed body that is no event is answered 400', async () => {
  const url = await served();
  for (const body of ['', 'hello', '[]', '{"id":"evt_1","type":"ping"}']) expect(await postSigned(url, secret, body)).toMatchObject({ status: 400, error: 'body_invalid' });
});

describe('a function that takes too long', () => {
  it('goes on after a 503; once it has succeeded the next delivery is answered 204', async () => {
    const { pass, open } = gate();
    const url = await served({ answerWithinMs: 50, onEvent: async (event) => { await pass(); handled.push(event); } });
    const event = { id: newId('evt') };
    expect(await post(url, event)).toMatchObject({ status: 503, error: 'in_progress' });
    expect(await post(url, event)).toMatchObject({ status: 503, error: 'in_progress' });
    open();
    await eventually('204', async () => (await post(url, event)).status === 204);
    expect(handledIds()).toEqual([event.id]);
  });

  it('gets the event again once it has failed', async () => {
    const { pass, open } = gate();
    let calls = 0;
    const url = await served({ answerWithinMs: 50, onEvent: async () => { calls += 1; await pass(); if (calls === 1) throw new Error('too late'); } });
    const event = { id: newId('evt') };
    expect((await post(url, event)).status).toBe(503);
    open();
    await eventually('204', async () => (await post(url, event)).status === 204);
    expect([calls, errors]).toEqual([2, [new Error('too late')]]);
  });
});

describe('a store that fails', () => {
  const storeThatFails = (at: keyof WebhookStore): WebhookStore => {
    const fail = (): never => { throw new Error(`no ${at}`); };
    return { claim: () => 'claimed', complete: () => undefined, release: () => undefined, [at]: fail };
  };

  it('to claim is answered 503, and nothing is processed', async () => {
    expect(await post(await served({ store: storeThatFails('claim') }))).toMatchObject({ status: 503, error: 'store_unavailable' });
    expect([handled, errors]).toEqual([[], [new Error('no claim')]]);
  });

  it('to record what was processed is answered 204, because it was', async () => {
    expect((await post(await served({ store: storeThatFails('complete') }))).status).toBe(204);
    expect([handled.length, errors]).toEqual([1, [new Error('no complete')]]);
  });

  it('to release is answered 500 like the failure before it', async () => {
    const failure = new Error('The database is away');
    expect((await post(await served({ store: storeThatFails('release'), onEvent: () => { throw failure; } }))).status).toBe(500);
    expect(errors).toEqual([failure, new Error('no release')]);
  });
});

it('what fails is written to the console where nobody has given onError', async () => {
  const written = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const failure = new Error('The database is away');
  const url = await urlOf(frameworks['node:http'](webhookHandler({ secret, onEvent: () => { throw failure; } })));
  expect((await post(url)).status).toBe(500);
  expect(written.mock.calls).toEqual([[failure]]);
  written.mockRestore();
});
