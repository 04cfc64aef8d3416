import { countReleases, newestReleases } from '../../../db/repositories/codeSecrets/codeSecrets';
import { releaseSecret } from '../../../domain/codeSecrets/releaseSecret';
import { setSecret } from '../../../domain/codeSecrets/setSecret';
import { requireExam } from '../../../domain/exams/requireExam';
import { operation } from '../../http/operation';
import { presentCodeSecretStatus } from './codeSecrets.presenter';
import { codeSecretInput, codeSecretSchema, codeSecretSetSchema, codeSecretStatusSchema, maxReleasesShown } from './codeSecrets.schemas';
import { examParams } from './exams.schemas';

const tag = 'Exams (coding)';

export const codeSecrets = [
  operation({
    method: 'PUT',
    path: '/exams/:id/code-secret',
    operationId: 'setCodeSecret',
    tag,
    access: { key: 'exams:write' },
    summary: 'Set or replace the key of the hidden tests.',
    request: { params: examParams, body: codeSecretInput },
    response: codeSecretSetSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => {
      await setSecret(tx, params.id, body.hidden_key_b64);
      return { set: true as const, set_at: tx.now.toISOString() };
    },
  }),
  operation({
    method: 'GET',
    path: '/exams/:id/code-secret/status',
    operationId: 'getCodeSecretStatus',
    tag,
    access: { key: 'exams:read' },
    summary: 'Get whether a key is set, and when it was released to whom; never the key.',
    request: { params: examParams },
    response: codeSecretStatusSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ params, reads }) => {
      const exam = await requireExam(reads, params.id);
      const [releases, count] = [await newestReleases(reads, exam.id, maxReleasesShown), await countReleases(reads, exam.id)];
      return presentCodeSecretStatus(exam, releases, count);
    },
  }),
  operation({
    method: 'POST',
    path: '/exams/:id/code-secret/release',
    operationId: 'releaseCodeSecret',
    tag,
    access: { key: 'exams:write' },
    summary: 'Read the key of the hidden tests, to re-run them; each time is kept on record.',
    request: { params: examParams },
    response: codeSecretSchema,
    errors: ['not_found', 'no_secret'],
    transaction: 'write',
    handle: async ({ params, caller, tx }) => ({ hidden_key_b64: await releaseSecret(tx, params.id, caller.actor.id) }),
  }),
];
