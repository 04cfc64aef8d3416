import type { EndpointRecord, KeyDescription } from '../http/endpoint';
import { students } from './students/students.endpoints';

/** Every operation of the public API; a new resource is one line here. */
export const resources: readonly EndpointRecord<KeyDescription>[] = [...students];
