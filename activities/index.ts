import type { Domain } from '../domain/context';
import type { WebhookClient } from '../outbound/webhooks/webhookClient';
import { createLicenseActivities } from './licenses/expireLicenses';
import { createProvisioningActivities } from './provisioning/provisionChunk';
import { createRetryActivities } from './webhooks/retryDelivery';

/** What activities reach the world through. */
export interface ActivityParts {
  domain: Domain;
  client: WebhookClient;
}

/** Every activity that the worker hosts; a new concern is one line here. */
export function createActivities({ domain, client }: ActivityParts): object {
  return { ...createRetryActivities(domain, client), ...createLicenseActivities(domain), ...createProvisioningActivities(domain) };
}
