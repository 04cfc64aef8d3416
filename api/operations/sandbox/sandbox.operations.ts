import { listSandboxEmails, type SandboxEmailRow } from '../../../db/repositories/sandbox/emails';
import { openKeptEmail } from '../../../domain/sandbox/keptEmails';
import { resetSandbox } from '../../../domain/sandbox/resetSandbox';
import type { SecretBox } from '../../../domain/secrets/secretBox';
import { operation } from '../../http/operation';
import { deleted, listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { resetSandboxSchema, sandboxEmailSchema, type SandboxEmailResponse } from './sandbox.schemas';

const tag = 'Sandbox';

const presentEmail =
  (secrets: SecretBox, institutionId: string) =>
  (row: SandboxEmailRow): SandboxEmailResponse => ({
    id: row.id,
    kind: row.kind,
    to: { kind: row.recipient_kind, id: row.recipient_id },
    ...openKeptEmail(secrets, institutionId, row),
    created_at: row.created_at.toISOString(),
  });

export const sandbox = [
  operation({
    method: 'DELETE',
    path: '/sandbox',
    operationId: 'resetSandbox',
    tag,
    access: { key: 'institution:write', environment: 'test', duringReset: true },
    summary: 'Reset the sandbox: erase its data, as if it was new.',
    description:
      'Answers at once; a workflow erases the data, the files and the clock. Until it is done every other call of a test key is `conflict`. Keys and audit ' +
      'log stay, and the config is that of the institution again. A repetition while a reset is under way changes nothing.',
    response: resetSandboxSchema,
    errors: [],
    transaction: 'write',
    handle: async ({ tx }) => {
      await resetSandbox(tx);
      return deleted(tx.institutionId);
    },
  }),
  operation({
    method: 'GET',
    path: '/sandbox/emails',
    operationId: 'listSandboxEmails',
    tag,
    access: { key: 'institution:read', environment: 'test' },
    summary: 'List the emails that the sandbox kept instead of sending them, newest first.',
    description: 'Sign-in codes and links of invitations are in them. The newest 1,000 are kept, for 30 days.',
    request: { query: pagingQuery },
    response: listOf(sandboxEmailSchema),
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads, domain }) => presentPage(await listSandboxEmails(reads, query), query, presentEmail(domain.secrets, reads.institutionId)),
  }),
];
