import type { EndpointRecord, PlatformCaller } from '../http/endpoint';

/** Every operation of the platform API; a new resource is one line here. */
export const platformOperations: readonly EndpointRecord<PlatformCaller>[] = [];
