import type { CodeSpec } from '../../db/repositories/exams/columns';
import { DomainError } from '../errors';

/** The steps that publish hidden tests, by the request that lacked their key. */
const resolutionHints = {
  create: 'create it with "publish": false, set the secret with PUT /exams/{id}/code-secret, then publish it',
  publish: 'set it with PUT /exams/{id}/code-secret, then publish the exam',
  change: 'the exam is published: set it with PUT /exams/{id}/code-secret, then change code_spec',
};

/**
 * `conflict` for a published exam, or one to be published, with hidden tests and without the code secret that decrypts
 * them: its attempts could not receive them. A spec without hidden tests needs none.
 */
export function requireCodeSecret(spec: Pick<CodeSpec, 'hidden_tests'> | null, { hidden_key_set_at: setAt }: { hidden_key_set_at: Date | null }, request: keyof typeof resolutionHints): void {
  if (spec?.hidden_tests == null || setAt !== null) return;
  throw new DomainError('conflict', `A coding exam with hidden tests cannot be published without its code secret: ${resolutionHints[request]}.`);
}
