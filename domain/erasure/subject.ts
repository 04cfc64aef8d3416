import Joi from 'joi';
import type { SealContext } from '../secrets/sealContext';
import type { SecretBox } from '../secrets/secretBox';

/** What an erasure searches for. Sealed with its row until it is done, and never in a workflow. */
export interface ErasureSubject {
  /** The former login email and the one that replaces it; null for guardians, who have none. */
  loginEmail: { former: string; replacement: string } | null;
  fullName: string | null;
  externalId: string | null;
  /** The personal emails of the person, and of guardians who are deleted with them. */
  addresses: string[];
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
  texts,
  ids: texts,
}).required();

/** An erasure, whose row has the sealed subject. */
interface ErasureReference {
  institutionId: string;
  personId: string;
  number: number;
}

const placeOf = ({ institutionId, personId, number }: ErasureReference): SealContext => ({ institutionId, table: 'erasures', column: 'subject_sealed', rowId: `${personId}:${number}` });

/** Returns the sealed form. */
export const sealSubject = (secrets: Pick<SecretBox, 'seal'>, erasure: ErasureReference, subject: ErasureSubject): string => secrets.seal(JSON.stringify(subject), placeOf(erasure));

/** Returns what an erasure searches for. Errors of Joi contain the text, which must not reach a workflow, so they are not passed on. */
export function openSubject(secrets: Pick<SecretBox, 'open'>, erasure: ErasureReference, sealed: string): ErasureSubject {
  const content: unknown = JSON.parse(secrets.open(sealed, placeOf(erasure)));
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
