import type { CodeSpec } from '../../db/repositories/exams/columns';
import { DomainError } from '../errors';

/** What is left to do before hidden tests without their key can be published, by what was asked for. */
const resolutionHints = {
  create: 'create it with "publish": false, set the secret with PUT /exams/{id}/code-secret, then publish it',
  publish: 'set it with PUT /exams/{id}/code-secret, then publish the exam',
  change: 'the exam is published: set it with PUT /exams/{id}/code-secret, then change code_spec',
};

/**
 * `conflict` for a coding exam that is to be published, or is, with hidden tests and without the code secret that opens
 * them: each of its attempts would be refused them. A spec without hidden tests needs none.
 */
export function requireCodeSecret(spec: Pick<CodeSpec, 'hidden_tests'> | null, { hidden_key_set_at: setAt }: { hidden_key_set_at: Date | null }, asked: keyof typeof resolutionHints): void {
  if (spec?.hidden_tests == null || setAt !== null) return;
  throw new DomainError('conflict', `A coding exam with hidden tests cannot be published without its code secret: ${resolutionHints[asked]}.`);
}
