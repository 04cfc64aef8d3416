export { InstitutionClient, type ClientOptions } from './institutionClient';
export { InstitutionError, type Code, type InstitutionErrorDetails, type InstitutionErrorDetails as Refusal } from './institutionError';
export type { DataOf, InputOf, ItemOf, Method, PagedPath, PathOf } from './operations';
export type * from './openapi';
export { verifyWebhook } from './verifyWebhook';
