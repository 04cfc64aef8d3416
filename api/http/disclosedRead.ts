import type { NewDisclosure } from '../../db/repositories/disclosures/disclosures';
import type { Actor, Caller } from '../../domain/context';
import { idPrefixes, newId } from '../../domain/ids';
import type { Discloses } from './discloses';
import { describeSchema } from './openapi/joiDescription';
import type { OperationRecord, RequestInput } from './operation';
import { StreamedFile } from './response/streamedFile';

type Input = RequestInput<unknown, unknown, unknown>;

/** Returns what is recorded of one call that responded with `data`; undefined if that is nothing. */
export type DescribeRead = (input: Input, data: unknown, caller: Caller) => NewDisclosure | undefined;

/** Paging says nothing about what was looked for. */
const unrecorded: ReadonlySet<string> = new Set(['page', 'limit', 'cursor']);

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined), value);

/** The words that each parameter of a query may be, by its name. */
function wordsOf({ request: { query } }: OperationRecord<never>): ReadonlyMap<string, ReadonlySet<unknown>> {
  const parameters = Object.entries(query === undefined ? {} : (describeSchema(query).keys ?? {}));
  return new Map(parameters.map(([name, { flags, allow }]) => [name, new Set(flags?.only === true ? allow : [])]));
}

const id = new RegExp(`^(?:${idPrefixes.join('|')})_[0-9a-z_]+$`);
const personId = /^(?:stu|fac|usr|dev)_[0-9a-z_]+$/;

/** Returns a parameter as it is recorded: ids, numbers, times and words of the API as they are; other texts, which may name a person, as null. */
function recordedValue(value: unknown, words: ReadonlySet<unknown> | undefined): string | null {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && (id.test(value) || words?.has(value) === true) ? value : null;
}

// A loop: it runs for every read.
function recordedParameters(parameters: Record<string, unknown>, words: ReadonlyMap<string, ReadonlySet<unknown>>): Record<string, string | null> {
  const recorded: Record<string, string | null> = {};
  for (const name of Object.keys(parameters)) {
    const value = parameters[name];
    if (value !== undefined && !unrecorded.has(name)) recorded[name] = recordedValue(value, words.get(name));
  }
  return recorded;
}

const isReader = (kind: Actor['kind']): kind is Exclude<Actor['kind'], 'system'> => kind !== 'system';

/** What a response contains. */
interface Disclosed {
  /** The id or login email of the person; null for the data of many. */
  subject: string | null;
  what: NewDisclosure['what'];
  /** Undefined where it is that of the call. */
  institutionId?: string | undefined;
}

const namesPerson = (value: unknown): value is string => typeof value === 'string' && (personId.test(value) || value.includes('@'));

const isAskedBy = (identifier: string | undefined, parameters: Record<string, unknown>): boolean => identifier !== undefined && parameters[identifier] !== undefined;

/** The id of the only item of a list. */
function onlyItemId(data: unknown): unknown {
  const items = valueAt(data, 'items');
  return Array.isArray(items) && items.length === 1 ? valueAt(items[0], 'id') : undefined;
}

function disclosedOf(discloses: Exclude<Discloses, 'nobody' | 'caller'>, parameters: Record<string, unknown>, data: unknown): Disclosed | undefined {
  if (data instanceof StreamedFile) return { subject: null, what: 'export' };
  if (discloses === 'many') return { subject: null, what: 'list' };
  if ('parameter' in discloses) {
    const named = parameters[discloses.parameter] ?? (isAskedBy(discloses.identifier, parameters) ? onlyItemId(data) : undefined);
    return namesPerson(named) ? { subject: named, what: 'record' } : { subject: null, what: 'list' };
  }
  if ('everything' in discloses) {
    const institution = valueAt(data, discloses.institution);
    return valueAt(data, discloses.everything) === null || typeof institution !== 'string' ? undefined : { subject: null, what: 'export', institutionId: institution };
  }
  const subject = discloses.fields.map((field) => valueAt(data, field)).find(namesPerson);
  if (subject === undefined) return undefined;
  if (discloses.archive !== undefined) return valueAt(data, discloses.archive) === null ? undefined : { subject, what: 'export' };
  const recordings = discloses.recordings === undefined ? undefined : valueAt(data, discloses.recordings);
  const institution = discloses.institution === undefined ? undefined : valueAt(data, discloses.institution);
  return {
    subject,
    what: Array.isArray(recordings) && recordings.length > 0 ? 'recording' : 'record',
    institutionId: typeof institution === 'string' ? institution : undefined,
  };
}

/** Returns what describes the reads of an operation; undefined if its responses contain nobody's data but the caller's own. */
export function describeReads(record: OperationRecord<never>): DescribeRead | undefined {
  const { discloses = 'nobody', operationId } = record;
  if (discloses === 'nobody' || discloses === 'caller') return undefined;
  const words = wordsOf(record);
  return ({ params, query }, data, { actor: { kind, id: actorId }, institutionId, requestId }) => {
    if (!isReader(kind)) return undefined;
    const parameters: Record<string, unknown> = { ...objectOf(params), ...objectOf(query) };
    const disclosed = disclosedOf(discloses, parameters, data);
    if (disclosed === undefined) return undefined;
    return {
      id: newId('dsc'),
      institution_id: disclosed.institutionId ?? institutionId,
      actor_kind: kind,
      actor_id: actorId,
      what: disclosed.what,
      subject: disclosed.subject,
      operation: operationId,
      query: recordedParameters(parameters, words),
      request_id: requestId,
    };
  };
}
