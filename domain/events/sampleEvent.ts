import { exampleIds } from './exampleIds';
import { eventTypes, type EventData, type EventType } from './eventTypes';

/** An event's envelope with the data of its type (section Events, Delivery 3). */
export interface SampleEvent<Type extends EventType = EventType> {
  id: string;
  type: Type;
  created_at: string;
  institution_id: string;
  data: EventData[Type];
}

/** Whose event a sample is; what is left out is the example story's. */
export interface SampleOf {
  id?: string | undefined;
  createdAt?: Date | undefined;
  institutionId?: string | undefined;
}

/** When the example story happens. */
const exampleTime = new Date('2026-11-20T09:30:00.000Z');

// The compiler finds the sample of a generic type by this type of the table alone.
const samples: { readonly [Type in EventType]: { readonly sample: EventData[Type] } } = eventTypes;

/** Returns an event of a type with its sample as data. */
export function sampleEvent<Type extends EventType>(type: Type, { id = exampleIds.event, createdAt = exampleTime, institutionId = exampleIds.institution }: SampleOf = {}): SampleEvent<Type> {
  return { id, type, created_at: createdAt.toISOString(), institution_id: institutionId, data: samples[type].sample };
}
