import type { AttemptOutcome } from './classifyAttempt';
import type { CustomHeaders } from './customHeaders';

/** What stands in an answer in place of the value of a header that the receiver sent back. */
const headerValueMask = '[header value]';

/** Shorter values are no keys, and words that any answer may have. */
const minMaskedLength = 8;

/** A value as it is, and as it stands within JSON. */
const formsOf = (value: string): string[] => [value, JSON.stringify(value).slice(1, -1)];

/** An answer is stored up to its first 4 KiB, which may end within a value. */
function maskCutValue(text: string, value: string): string {
  for (let length = value.length - 1; length >= minMaskedLength; length--) {
    if (text.endsWith(value.slice(0, length))) return text.slice(0, -length) + headerValueMask;
  }
  return text;
}

/** Returns the outcome without the values of the endpoint's headers: a receiver may answer with what it was sent, and its answer is stored and shown. */
export function maskHeaderValues<Outcome extends Pick<AttemptOutcome, 'error' | 'responseBody'>>(outcome: Outcome, headers: CustomHeaders): Outcome {
  const values = [...new Set(Object.values(headers).filter((value) => value.length >= minMaskedLength).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const mask = (text: string | null): string | null =>
    text === null ? null : values.reduce(maskCutValue, values.reduce((masked, value) => masked.replaceAll(value, headerValueMask), text));
  return values.length === 0 ? outcome : { ...outcome, error: mask(outcome.error), responseBody: mask(outcome.responseBody) };
}
