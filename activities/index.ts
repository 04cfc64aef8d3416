import type { Domain } from '../domain/context';
import type { WebhookClient } from '../outbound/webhooks/webhookClient';
import type { WorkerMetrics } from './metrics';
import { createLicenseActivities } from './licenses/expireLicenses';
import { createProvisioningActivities } from './provisioning/provisionChunk';
import { createReplayActivities } from './webhooks/replayDead';
import { createRetryActivities } from './webhooks/retryDelivery';

/** What activities reach the world through. */
export interface ActivityParts {
  domain: Domain;
  client: WebhookClient;
  metrics: Pick<WorkerMetrics, 'observeAttempts'>;
}

/** Every activity that the worker hosts; a new concern is one line here. */
export function createActivities({ domain, client, metrics }: ActivityParts): object {
  return {
    ...createRetryActivities(domain, client, metrics),
    ...createLicenseActivities(domain),
    ...createProvisioningActivities(domain),
    ...createReplayActivities(domain),
  };
}
