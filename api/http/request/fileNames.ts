import type Joi from 'joi';
import { text } from './fields';

const maxLength = 255;

/** Control characters, and characters that break lines or change the text direction. */
const removedCharacters = '\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069';
const removedPattern = new RegExp(`[${removedCharacters}]`, 'g');

/** Returns the file name to store: the last part of a path, without control characters and characters that change the text direction. */
export function sanitizeFilename(sent: string): { filename: string } | { fault: string } {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const filename = last.toWellFormed().replaceAll(removedPattern, '').trim();
  if (['', '.', '..'].includes(filename)) return { fault: 'must have a filename' };
  return filename.length > maxLength ? { fault: `must have a filename of at most ${maxLength} characters` } : { filename };
}

const [edge, inner] = [`[^\\s/\\\\${removedCharacters}]`, `[^/\\\\${removedCharacters}]`];

/** A file name that must already be clean: {@link sanitizeFilename} would not change it. */
export const filename = (): Joi.StringSchema =>
  text(maxLength)
    .custom((name: string, helpers) => {
      const sanitized = sanitizeFilename(name);
      if ('fault' in sanitized) return helpers.message({ custom: `{{#label}} ${sanitized.fault}` });
      return sanitized.filename === name ? name : helpers.error('filename.kept', { kept: sanitized.filename });
    })
    .messages({ 'filename.kept': '{{#label}} must be a filename alone, without a path: {{#kept}} would be one' })
    .meta({ jsonSchema: { pattern: `^${edge}(?:${inner}*${edge})?$` } });

/** Returns the content type to store; `application/octet-stream` for an invalid one. */
export function sanitizeContentType(sent: string): string {
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(sent) ? sent.toLowerCase() : 'application/octet-stream';
}
