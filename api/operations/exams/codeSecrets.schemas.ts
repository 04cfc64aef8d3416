import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { exampleTimes } from '../../../domain/exampleSchool';
import { hiddenTests } from '../../../domain/exams/limits';
import { base64Of, timestamp } from '../../http/request/fields';

/** Maximum number of releases in the status. */
export const maxReleasesShown = 200;

/** The key in a response; the example decrypts nothing. */
export const hiddenKey = base64Of(hiddenTests.keyBytes).required().example('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');

export const codeSecretInput = Joi.object({
  hidden_key_b64: hiddenKey.description(
    `Base64 of the ${hiddenTests.keyBytes}-byte AES key. Sealed before it is kept; never logged, never read back but by a release.`,
  ),
});

export const codeSecretSchema = Joi.object({ hidden_key_b64: hiddenKey }).meta({ title: 'CodeSecret' });

export const codeSecretSetSchema = Joi.object({
  set: Joi.boolean().valid(true).required().example(true),
  set_at: timestamp().required().example('2026-11-16T09:02:00.000Z'),
}).meta({ title: 'CodeSecretSet' });

const releaseSchema = Joi.object({
  attempt_id: Joi.string().allow(null).required().description('Null for a release to an integration.').example('att_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().allow(null).required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  released_at: timestamp().required().example(exampleTimes.hiddenTestsReleased),
  by: Joi.string().required().description('`app`, or the id of the API key.').example('app'),
});
export type CodeSecretReleaseResponse = SchemaType<typeof releaseSchema>;

export const codeSecretStatusSchema = Joi.object({
  set: Joi.boolean().required().description('Whether a key is set.').example(true),
  set_at: timestamp().allow(null).required().description('When it was last set.').example('2026-11-16T09:02:00.000Z'),
  release_count: Joi.number().integer().required().description('How often the key was released in all.').example(1),
  releases: Joi.array().items(releaseSchema).required().description(`The newest first, ${maxReleasesShown} at most.`),
}).meta({ title: 'CodeSecretStatus' });
export type CodeSecretStatusResponse = SchemaType<typeof codeSecretStatusSchema>;
