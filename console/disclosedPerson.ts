import type { Page } from './consoleRequest';

const personFields = ['student_id', 'user_id', 'faculty_id'];

/** Returns the person whom the payload of an event is about; undefined if it is about nobody, or no longer kept. */
export function personInPayload(payload: string | null, institutionId: string): Page['disclosed'] {
  const envelope: unknown = payload === null ? null : JSON.parse(payload);
  const data: unknown = typeof envelope === 'object' && envelope !== null ? Reflect.get(envelope, 'data') : undefined;
  if (typeof data !== 'object' || data === null) return undefined;
  const subject = personFields.map((field): unknown => Reflect.get(data, field)).find((value) => typeof value === 'string');
  return typeof subject === 'string' ? { subject, institutionId } : undefined;
}
