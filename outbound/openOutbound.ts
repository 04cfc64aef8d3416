import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { settlesWithin } from '../lib/timeout';
import type { Domain } from '../domain/context';
import { createSecretBox } from '../domain/secrets/secretBox';
import type { TemporalUi } from '../domain/workflowView';
import { openFileStore } from './files/openFileStore';
import { createMailer, type Mailer } from './mail/mailer';
import { openTemporal, temporalOptions, type TemporalConnection } from './temporal/engine';
import { provisioningRunner } from './temporal/provisioningRunner';
import { workerPolls } from './temporal/workerPolls';
import { workflowInput } from './temporal/workflowInput';
import { workflowViewer } from './temporal/workflowViewer';
import { createWebhookClient, type WebhookClient } from './webhooks/webhookClient';

/** The clients of other systems that every process uses. */
export interface Outbound {
  temporal: TemporalConnection;
  temporalUi: TemporalUi;
  client: WebhookClient;
  mailer: Mailer;
  /** The dependencies of commands, without database and wake-ups. */
  domain: Omit<Domain, 'database' | 'onCommitted'>;
  /** Waits up to `timeoutMs` for emails and webhook posts in progress, then closes everything. */
  close(timeoutMs: number): Promise<void>;
}

/** Opens the clients of the settings. Connections to Temporal, receivers and the mail server are opened on first use. */
export async function openOutbound(settings: Settings, logger: Logger): Promise<Outbound> {
  const { webhookTrustedHosts } = settings;
  const temporalUi = { url: settings.temporalUiUrl, namespace: settings.temporalNamespace };
  const secrets = createSecretBox(settings.keys);
  const files = await openFileStore(settings, secrets);
  const mailer = createMailer({ smtpUrl: settings.smtpUrl, requireTls: settings.smtpRequireTls, from: settings.mailFrom });
  const interceptors = settings.tracing === null ? [] : [new (await import('@temporalio/interceptors-opentelemetry')).OpenTelemetryWorkflowClientInterceptor()];
  const temporal = openTemporal({ ...temporalOptions(settings), interceptors, onFilesUnusable: (error) => logger.error({ err: error }, 'changed certificates or API key of Temporal cannot be used') });
  const client = createWebhookClient({ trustedHosts: webhookTrustedHosts, hidesNames: settings.profile === 'production' });
  return {
    temporal,
    temporalUi,
    client,
    mailer,
    domain: {
      secrets,
      files,
      webhookTrustedHosts,
      isPrivateWebhookHost: client.isPrivateHost,
      postWebhook: client.post,
      provisioning: provisioningRunner(temporal, settings.bulkWaitMs, logger),
      viewWorkflow: workflowViewer(temporal, temporalUi),
      readWorkflowInput: workflowInput(temporal),
      findLastPoll: workerPolls(temporal),
    },
    close: async (timeoutMs) => {
      await settlesWithin(timeoutMs, Promise.all([mailer.close(), client.close()]));
      files.close();
      await temporal.close();
    },
  };
}
