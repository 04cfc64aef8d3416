import Joi from 'joi';
import { headerBytes, headerLimits, headerNamePattern, headerValuePattern, isHeaderName, isReservedHeaderName, repeatedName } from '../../../domain/webhooks/customHeaders';

// No message repeats a value: it may be a secret.
const messages = {
  'object.unknown': `{{#label}} is not a header name: at most ${headerLimits.nameLength} letters, digits and marks such as - and _, without blanks`,
  'object.max': '{{#label}} must have at most {{#limit}} headers',
  'headers.total': `{{#label}} must have at most ${headerLimits.totalBytes} bytes in all`,
  'headers.repeated': '{{#label}} must name each header once, in any case',
};

const name = Joi.string().custom((value: string, helpers) => (isHeaderName(value) ? value : helpers.error('any.invalid')));

const value = Joi.string().custom((text: string, helpers) => {
  if (isReservedHeaderName(String(helpers.state.path?.at(-1)))) return helpers.message({ custom: '{{#label}} is reserved: HTTP or this service sets it itself' });
  if (text.length > headerLimits.valueLength) return helpers.error('string.max', { limit: headerLimits.valueLength });
  return headerValuePattern.test(text) ? text : helpers.message({ custom: '{{#label}} must be visible ASCII characters, with blanks between them only' });
});

/** The headers that an endpoint's owner adds to each attempt. */
export const customHeaders = () =>
  Joi.object()
    .pattern(
      name.meta({ jsonSchema: { pattern: headerNamePattern.source, maxLength: headerLimits.nameLength } }),
      value.meta({ jsonSchema: { pattern: headerValuePattern.source, maxLength: headerLimits.valueLength } }),
    )
    .max(headerLimits.headers)
    .custom((headers: Record<string, string>, helpers) => {
      if (repeatedName(headers) !== undefined) return helpers.error('headers.repeated');
      return headerBytes(headers) > headerLimits.totalBytes ? helpers.error('headers.total') : headers;
    })
    .messages(messages)
    .allow(null)
    .description(
      `Headers that each attempt also has, by name: all of them, in place of the earlier ones; null removes them. At most ${headerLimits.headers}, and ${headerLimits.totalBytes} bytes in all. ` +
        'Names that HTTP or this service uses itself are refused. Stored sealed, and shown by name only.',
    )
    .example({ 'X-Api-Key': 'k-7f3a' });
