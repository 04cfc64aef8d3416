// The ES module hands on what the CommonJS module has: there is one InstitutionError, however a program imports it.
export { InstitutionClient, InstitutionError, WebhookBodyError, WebhookVerificationError, memoryStore, verifyWebhook, webhookHandler } from './index.js';
export type * from './index.js';
