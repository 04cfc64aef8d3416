export { InstitutionClient, type ClientOptions, type EventQuery } from './institutionClient';
export { InstitutionError, type Code, type ExistingStudent, type InstitutionErrorDetails } from './institutionError';
export type { DataOf, InputOf, ItemOf, Method, PagedPath, PathOf } from './operations';
export type * from './openapi';
export { WebhookBodyError, type NodeRequest, type WebhookBodyReason } from './webhooks/rawBody';
export type { EventHandlers, EventOf, EventTypeName, WebhookHandlerOptions } from './webhooks/receiveWebhook';
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders, type WebhookVerificationReason } from './webhooks/verifyWebhook';
export { webhookHandler, type FastifyInstance, type FastifyReply, type KoaContext, type NodeResponse, type WebhookHandler } from './webhooks/webhookHandler';
export { memoryStore, type WebhookClaim, type WebhookStore } from './webhooks/webhookStore';
