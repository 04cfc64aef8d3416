import { path } from './call';
import { findInstitutionId, useTimeZoneOfKey, type ApiContext, type EitherContext, type KeyContext } from './context';
import { operatorsOnly, usageError } from './errors';
import { resolveInstitution } from './institution';
import { answerIfAny, readInstitution } from './notes';
import type { TimeRange } from './options';
import { noteMovedClock, resolveMoment } from './timeRange';
import type { Moment } from './timeZone';

/** The webhooks of one institution: where an API has them, and what commands ask about them in passing. */
export interface Webhooks {
  /** Undefined of the institution of a key, whose paths do not name it. */
  institutionId: string | undefined;
  /** The path of the deliveries. */
  deliveries: string;
  deliveryPath(id: string): string;
  endpointPath(id: string): string;
  /** Reads the state of an endpoint for a note; undefined if it cannot be read. A key reads the endpoint itself, which has less. */
  readHealth(endpointId: string): Promise<unknown>;
  /** Reads the institution for a note. Undefined of a key: it works while its institution is approved. */
  readInstitution(): Promise<unknown>;
  /** Says what the ages and named days of a range count from, where that may surprise. */
  noteClock(range: TimeRange): Promise<void>;
  /** Returns the time of a moment: for operators by the real time, for a key by the clock of its institution. */
  toTimestamp(moment: Moment): Promise<string>;
}

function webhooksOfInstitution(context: EitherContext & { key?: undefined }, institutionId: string): Webhooks {
  const endpointPath = (id: string): string => path`/institutions/${institutionId}/webhook-endpoints/${id}`;
  return {
    institutionId,
    deliveries: path`/institutions/${institutionId}/deliveries`,
    deliveryPath: (id) => path`/institutions/${institutionId}/deliveries/${id}`,
    endpointPath,
    readHealth: (id) => answerIfAny(context.api.call('GET', `${endpointPath(id)}/health`, { asPlatform: true })),
    readInstitution: () => readInstitution(context, institutionId),
    noteClock: (range) => noteMovedClock(context, institutionId, range),
    toTimestamp: (moment) => Promise.resolve(context.timeZone.toTimestamp(moment, new Date())),
  };
}

async function webhooksOfKey(context: ApiContext & { key: KeyContext }): Promise<Webhooks> {
  await useTimeZoneOfKey(context.key);
  const endpointPath = (id: string): string => path`/webhooks/endpoints/${id}`;
  return {
    institutionId: undefined,
    deliveries: '/webhooks/deliveries',
    deliveryPath: (id) => path`/webhooks/deliveries/${id}`,
    endpointPath,
    readHealth: (id) => answerIfAny(context.api.call('GET', endpointPath(id))),
    readInstitution: () => Promise.resolve(undefined),
    // Reading the clock says what there is to say.
    noteClock: () => Promise.resolve(),
    toTimestamp: (moment) => resolveMoment(context.key, moment),
  };
}

/** Returns the webhooks among which an endpoint or a delivery is. */
export async function webhooksWith(context: EitherContext, id: string): Promise<Webhooks> {
  return context.key === undefined ? webhooksOfInstitution(context, await findInstitutionId(context, id)) : webhooksOfKey(context);
}

/** Refuses the name of another institution than that of the key. */
async function requireInstitutionOfKey({ api }: KeyContext, named: string): Promise<void> {
  const { institution: { id, name } } = await api.call('GET', '/me');
  if (named !== id && named.toLowerCase() !== name.toLowerCase()) throw usageError(`The key is of ${name} (${id}), and of no other institution: leave the name out, or set PLATFORM_TOKEN with PLATFORM_URL.`);
}

/** Returns the webhooks of an institution by its id or name; a key has those of its own. */
export async function webhooksOf(context: EitherContext, institution: string | undefined): Promise<Webhooks> {
  if (context.key === undefined) {
    if (institution === undefined) throw usageError('Name an institution, by its id, ins_…, or its name: only a key has one of its own.');
    return webhooksOfInstitution(context, await resolveInstitution(context, institution));
  }
  if (institution !== undefined) await requireInstitutionOfKey(context.key, institution);
  return webhooksOfKey(context);
}

/** Returns a range as the API takes it, and says what it counts from where that may surprise. */
export async function resolveRange(webhooks: Webhooks, range: TimeRange): Promise<{ since: string | undefined; until: string | undefined }> {
  await webhooks.noteClock(range);
  const [since, until] = [range.since, range.until].map((moment) => (moment === undefined ? undefined : webhooks.toTimestamp(moment)));
  return { since: await since, until: await until };
}

/** Refuses what only operators have; `instead` says what a key has in its place. */
export function requireOperator(context: EitherContext, what: string, instead: string): asserts context is EitherContext & { key?: undefined } {
  if (context.key !== undefined) throw usageError(operatorsOnly(what, instead));
}
