import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/** Whether the body was signed with the secret within the last five minutes. */
export function hasValidSignature(rawBody: Uint8Array, signatureHeader: string, secret: string, nowSeconds = Date.now() / 1000): boolean {
  const timestamp = /(?:^|,)t=([0-9]{1,12})(?=,|$)/.exec(signatureHeader)?.[1];
  // An empty secret, as of a variable that is not set, would be a key that everybody knows.
  if (secret === '' || timestamp === undefined || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  const signatures = signatureHeader.matchAll(/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g);
  return [...signatures].some(([, hex = '']) => timingSafeEqual(Buffer.from(hex, 'hex'), expected));
}
