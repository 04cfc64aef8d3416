import Joi from 'joi';
import type { SecretBox } from '../secrets/secretBox';

/** What an erasure searches for. Sealed with its row until it is done, and never in a workflow. */
export interface ErasureSubject {
  /** The former login email and the one that replaces it; null for guardians, who have none. */
  loginEmail: { former: string; replacement: string } | null;
  fullName: string | null;
  externalId: string | null;
  /** The personal emails of the person, and of guardians who are deleted with them. */
  addresses: string[];
  /** Their fingerprints, in hexadecimal digits. */
  fingerprints: string[];
  /** Other texts that identify the person, such as those of the profile. */
  texts: string[];
  /** The ids of the person, of guardians who are deleted with them, and of what was theirs. */
  ids: string[];
}

const text = Joi.string().allow('').required();
const texts = Joi.array().items(Joi.string().allow('')).required();

const shape = Joi.object<ErasureSubject, true>({
  loginEmail: Joi.object({ former: text, replacement: text }).allow(null).required(),
  fullName: text.allow(null),
  externalId: text.allow(null),
  addresses: texts,
  fingerprints: texts,
  texts,
  ids: texts,
}).required();

/** Returns the sealed form. */
export const sealSubject = ({ seal }: Pick<SecretBox, 'seal'>, subject: ErasureSubject): string => seal(JSON.stringify(subject));

/** Returns what an erasure searches for. Errors of Joi contain the text, which must not reach a workflow, so they are not passed on. */
export function openSubject({ open }: Pick<SecretBox, 'open'>, sealed: string): ErasureSubject {
  const content: unknown = JSON.parse(open(sealed));
  const read = shape.validate(content);
  if (read.error !== undefined) throw new Error('The subject of an erasure has an invalid form');
  return read.value;
}

/** The shortest text that is searched for in free text: a single character is in every text. */
const minLength = 2;

/** Returns all texts that identify the person, ids included. */
export function identifyingTexts({ loginEmail, fullName, externalId, addresses, texts: others, ids }: ErasureSubject): string[] {
  const all = [loginEmail?.former, fullName, externalId, ...addresses, ...others, ...ids];
  return [...new Set(all.filter((one): one is string => typeof one === 'string' && one.length >= minLength))];
}
