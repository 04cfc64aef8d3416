import Joi from 'joi';
import { countReleases, newestReleases, type ReleaseRow } from '../../../db/repositories/codeSecrets';
import { releaseSecret } from '../../../domain/codeSecrets/releaseSecret';
import { setSecret } from '../../../domain/codeSecrets/setSecret';
import { requireExam } from '../../../domain/exams/requireExam';
import { hiddenTests } from '../../../domain/exams/terms';
import { endpoint } from '../../http/endpoint';
import { base64Of, timestamp, type IdParams } from '../../http/fields';
import { examParams } from './exams.endpoints';

const tag = 'Exams (coding)';

/** Releases that the status names. */
const releasesShown = 200;

/** The key as the API hands it out; an example that is the key of nothing. */
export const hiddenKey = base64Of(hiddenTests.keyBytes).required().example('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');

const codeSecret = Joi.object<{ hidden_key_b64: string }>({
  hidden_key_b64: hiddenKey.description('Base64 of the 32-byte AES key. Sealed before it is kept; never logged, never read back but by a release.'),
});

const setSchema = Joi.object({
  set: Joi.boolean().valid(true).required().example(true),
  set_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
}).meta({ title: 'CodeSecretSet' });

const statusSchema = Joi.object({
  set: Joi.boolean().required().description('Whether a key is set.').example(true),
  set_at: timestamp().allow(null).required().description('When it was last set.').example('2026-11-20T09:30:00.000Z'),
  release_count: Joi.number().integer().required().description('How often the key was released in all.').example(1),
  releases: Joi.array()
    .items(Joi.object({
      attempt_id: Joi.string().allow(null).required().description('Null for a release to an integration.').example('att_01jd4k6f2mep2s5xg5yhc8m1zr'),
      student_id: Joi.string().allow(null).required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
      released_at: timestamp().required().example('2026-11-20T10:00:00.000Z'),
      by: Joi.string().required().description('`app`, or the id of the API key.').example('app'),
    }))
    .required()
    .description('The newest first, 200 at most.'),
}).meta({ title: 'CodeSecretStatus' });

const presentRelease = ({ attempt_id, student_id, released_at, released_by }: ReleaseRow): object => ({
  attempt_id,
  student_id,
  released_at: released_at.toISOString(),
  by: released_by,
});

export const codeSecrets = [
  endpoint<IdParams, Record<string, never>, { hidden_key_b64: string }>({
    method: 'PUT',
    path: '/exams/:id/code-secret',
    operationId: 'setCodeSecret',
    tag,
    scope: 'exams:write',
    summary: 'Set or replace the key of the hidden tests.',
    request: { params: examParams, body: codeSecret },
    response: setSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => {
      await setSecret(tx, params.id, body.hidden_key_b64);
      return { set: true, set_at: tx.now.toISOString() };
    },
  }),
  endpoint<IdParams>({
    method: 'GET',
    path: '/exams/:id/code-secret/status',
    operationId: 'getCodeSecretStatus',
    tag,
    scope: 'exams:read',
    summary: 'Get whether a key is set, and when it was released to whom; never the key.',
    request: { params: examParams },
    response: statusSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads }) => {
      const exam = await requireExam(reads, params.id);
      const releases = await newestReleases(reads, exam.id, releasesShown);
      return {
        set: exam.hidden_key_set_at !== null,
        set_at: exam.hidden_key_set_at?.toISOString() ?? null,
        release_count: await countReleases(reads, exam.id),
        releases: releases.map(presentRelease),
      };
    },
  }),
  endpoint<IdParams>({
    method: 'POST',
    path: '/exams/:id/code-secret/release',
    operationId: 'releaseCodeSecret',
    tag,
    scope: 'exams:write',
    summary: 'Read the key of the hidden tests, to re-run them; each time is kept on record.',
    request: { params: examParams },
    response: Joi.object({ hidden_key_b64: hiddenKey }).meta({ title: 'CodeSecret' }),
    errors: ['not_found', 'no_secret'],
    transaction: 'write',
    handle: async ({ params, caller, tx }) => ({ hidden_key_b64: await releaseSecret(tx, params.id, caller.actor.id) }),
  }),
];
