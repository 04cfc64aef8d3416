import { memoryStore, verifyWebhook, webhookHandler, type WebhookHandler, type WebhookHandlerOptions } from '../../clients/typescript/src';
import { newWebhookSecret } from '../../domain/webhooks/signature';

const secret = newWebhookSecret();

it.each([['secret'], ['whsec_'], ['whsec_a'], ['whpk_'], ['whpk_AAAA'], [secret.slice('whsec_'.length)], [7]])('%j is refused as a secret when the handler is made, and when a webhook is verified', (none) => {
  const expected = new TypeError("secret must be the endpoint's signing secret, whsec_ and base64, or its public key, whpk_ and base64; several as a list");
  // As a program in JavaScript may give it.
  const given = { secret: none } as WebhookHandlerOptions;
  expect(() => webhookHandler(given)).toThrow(expected);
  expect(() => verifyWebhook('{}', undefined, given.secret)).toThrow(expected);
});

it.each([
  ...['', [], [secret, ''], undefined, null].map((none) => [none, "secret is empty: it must be the endpoint's signing secret (whsec_…) or its public key (whpk_…)"]),
  ...[`${secret}\n`, [secret, ` ${secret}`]].map((none) => [none, 'secret holds a blank or a line break: read from a file, it needs a trim()']),
  ...[`${secret} ${secret}`, `${secret}\n${secret}\n`, [`${secret} ${secret}`]].map((none) => [none, "secret holds several secrets in one text: split it, as in WEBHOOK_SECRETS.split(' ')"]),
  ...['svc_live_b3RoZXI', 'svc_test_b3RoZXI', [secret, 'svc_live_b3RoZXI']].map((none) => [none, "secret is an API key: it must be the endpoint's signing secret (whsec_…), which its creation answers, or its public key (whpk_…)"]),
])('%j is refused as a secret: %s', (none, message) => {
  // As a program in JavaScript may give it.
  const given = { secret: none } as WebhookHandlerOptions;
  expect(() => webhookHandler(given)).toThrow(new TypeError(String(message)));
  expect(() => verifyWebhook('{}', undefined, given.secret)).toThrow(new TypeError(String(message)));
});

describe('a handler is not made', () => {
  const handle = (): void => undefined;
  // As a program in JavaScript may give them.
  const made = (options: Record<string, unknown>) => (): WebhookHandler => webhookHandler({ secret, ...options });

  it('with an option that it does not have', () => {
    expect(made({ onevent: handle })).toThrow(new TypeError('onevent is no option of webhookHandler, which has secret, store, on, onEvent, onError, maxBodyBytes, answerWithinMs, leaseMs'));
  });

  it.each([[{}], [{ on: {} }], [{ onEvent: undefined }]])('without a function: %j', (options) => {
    expect(made(options)).toThrow(new TypeError('give on or onEvent: without a function every event would be answered 204 and lost'));
  });

  it.each([
    ['student.*', 'on takes exact types, and "student.*" is a pattern: onEvent gets all events that on does not name'],
    ['*', 'on takes exact types, and "*" is a pattern: onEvent gets all events that on does not name'],
    ['exam.gradet', 'on: this client knows no event type "exam.gradet"; did you mean exam.graded? onEvent gets those of later releases'],
    ['toString', 'on: this client knows no event type "toString": onEvent gets those of later releases'],
  ])('with a function for %s, which is no type', (name, message) => {
    expect(made({ on: { [name]: handle }, onEvent: handle })).toThrow(new TypeError(message));
  });

  it('with what is no function, or one that a call does not run', () => {
    function* generator(): Generator { yield; }
    async function* asyncGenerator(): AsyncGenerator { yield; }
    for (const none of [undefined, null, 'handle']) expect(made({ on: { 'exam.graded': none } })).toThrow(new TypeError('on["exam.graded"] must be a function'));
    expect(made({ onEvent: 'handle' })).toThrow(new TypeError('onEvent must be a function'));
    for (const onEvent of [generator, asyncGenerator]) expect(made({ onEvent })).toThrow(new TypeError('onEvent must not be a generator function: nothing would run it'));
    expect(made({ on: 7 })).toThrow(new TypeError('on must be an object with a function for each type'));
  });

  it.each(['maxBodyBytes', 'answerWithinMs', 'leaseMs'])('with a %s with which no event could be processed', (name) => {
    for (const none of [0, -1, '8000', Number.NaN]) expect(made({ onEvent: handle, [name]: none })).toThrow(new TypeError(`${name} must be a number above 0`));
  });

  it('with an answerWithinMs that is longer than the service waits', () => {
    expect(made({ onEvent: handle, answerWithinMs: 10_001 })).toThrow(new TypeError('answerWithinMs must be at most 10000: the service waits no longer'));
    expect(made({ onEvent: handle, answerWithinMs: 10_000 })).not.toThrow();
  });

  it('with a claim that ends before the answer', () => {
    expect(made({ onEvent: handle, leaseMs: 7_999 })).toThrow(new TypeError('leaseMs must be at least answerWithinMs (8000): after it another call may process the same event'));
    expect(made({ onEvent: handle, leaseMs: 100, answerWithinMs: 100 })).not.toThrow();
  });

  it('with a store that lacks a method', () => {
    expect(made({ onEvent: handle, store: {} })).toThrow(new TypeError('store.claim must be a function: a store has claim, complete and release'));
    expect(made({ onEvent: handle, store: memoryStore })).toThrow(new TypeError('store is a function: call it, as in memoryStore()'));
    expect(made({ onEvent: handle, store: { claim: handle, complete: handle } })).toThrow(new TypeError('store.release must be a function: a store has claim, complete and release'));
  });
});
