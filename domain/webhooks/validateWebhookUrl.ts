import type { Domain } from '../context';
import { fieldError, validationError, type DomainError, type ErrorCode, type Issue } from '../errors';
import { checkWebhookUrl, untrustedHostHint } from './addresses';
import { subscriptionIssues } from './subscriptions';

/** A webhook URL that {@link validateWebhookUrl} accepted, as sent. */
export interface ValidatedUrl {
  readonly value: string;
}

/**
 * Validates a webhook URL (section Events, Delivery 7): `validation_error`, `https_required`, or `private_host` for a
 * host that is, or currently resolves to, an address that is not public. A name that does not resolve gets the same answer in
 * production, so that callers learn no name of the network that the service is in; elsewhere it is accepted, because every
 * attempt checks again. The issues are also those of the subscriptions that the request has. With trusted hosts, the error message lists them. Uses the network, so it runs before the transaction
 * that saves the URL.
 */
export async function validateWebhookUrl(domain: Pick<Domain, 'webhookTrustedHosts' | 'isPrivateWebhookHost'>, url: string, events?: readonly string[]): Promise<ValidatedUrl> {
  const issuesOf = (...messages: readonly string[]): Issue[] => [...messages.map((message) => ({ path: 'url', message })), ...(events === undefined ? [] : subscriptionIssues(events))];
  const hint = untrustedHostHint(url, domain.webhookTrustedHosts);
  const rejection = (code: ErrorCode, rule: string): DomainError => {
    const message = hint === undefined ? rule : `${rule}, and ${hint}`;
    return fieldError(code, issuesOf(message), message);
  };
  const checked = checkWebhookUrl(url, domain.webhookTrustedHosts);
  if (!checked.ok) throw checked.code === 'validation_error' ? validationError(...issuesOf(...checked.problems)) : rejection(checked.code, checked.message);
  if (await domain.isPrivateWebhookHost(checked.url)) throw rejection('private_host', 'The host of url must be public, and its name must resolve');
  return { value: url };
}
