// For projects with an older target: the types of the lists are those of asynchronous iteration.
/// <reference lib="es2018" preserve="true" />
export type { CallAnswer, CallHooks, CallRetry } from './callHooks';
export type { ClientOptions } from './clientOptions';
export type { Fetch, FetchAnswer, FetchInit } from './fetch';
export { InstitutionClient, type EventQuery, type FeedQuery } from './institutionClient';
export { InstitutionError, type Code, type ExistingStudent, type InstitutionErrorDetails } from './institutionError';
export type { BodyOf, DataOf, InputOf, ItemOf, ListInputOf, Method, PagedPath, PathOf } from './operations';
export type * from './openapi';
export { WebhookBodyError, type NodeRequest, type WebhookBodyReason } from './webhooks/rawBody';
export type { EventHandlers, EventOf, EventTypeName, WebhookHandlerOptions } from './webhooks/receiveWebhook';
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders, type WebhookVerificationReason } from './webhooks/verifyWebhook';
export { webhookHandler, type FastifyInstance, type FastifyReply, type KoaContext, type NodeResponse, type WebhookHandler } from './webhooks/webhookHandler';
export { memoryStore, type WebhookClaim, type WebhookStore } from './webhooks/webhookStore';
