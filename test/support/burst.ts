import { setTimeout as pause } from 'node:timers/promises';
import type { TestApi, TestInstitution } from './api';
import { createEach, type StudentCall } from './calls';
import { circuitOf } from './circuits';
import { plantEndpoint } from './endpoints';
import { eventually } from './eventually';
import type { Receiver } from './receiver';
import { announcedEvents, countByStatus, lapseClaims, notWhole, studentTraces } from './studentRecords';
import { unattended, workflowsRunning } from './stuckDeliveries';

/** So many students a burst creates; two events announce each. */
const students = 500;
const clients = 16;
/** So many attempts at most are in flight: the widest that the lane of an endpoint becomes, and as many again whose results are being written. */
const mostInFlight = 2 * 64;
/** The receiver takes its time, in ms, so that there are always attempts in flight. */
const answersAfterMs = 20;
/** Retries wait for 5 s at first, and what a killed worker held is noticed missing after 10 s; the rest is for a busy machine. */
const settledWithinMs = 60_000;
const betweenLooksMs = 200;
/** No attempt of these tests is in flight for so long, in ms. */
const abandonedAfterMs = 3_000;

/** 1,000 events of one institution, on their way to a receiver that refuses every tenth at first. */
export interface Burst {
  institution: TestInstitution;
  endpointId: string;
  /** Every call so far. */
  calls: readonly StudentCall[];
  /** How often the receiver took each event. */
  taken: ReadonlyMap<string, number>;
  /** Events that the receiver refused at first. */
  refused: ReadonlySet<string>;
  /** From now on the receiver refuses nothing. */
  heal(): void;
  /** Resolves while events flow, some have arrived, and some are waiting for their second attempt. */
  middle(): Promise<void>;
  /** Resolves when every student is created, with their ids. */
  over: Promise<Map<string, string>>;
}

/** Where a burst goes in, and where it comes out. */
export interface BurstWay {
  /** Where the API is now. */
  baseUrl: () => string;
  receiver: Receiver;
  /** Where the endpoint is; the receiver's own address without it. */
  url?: string;
}

/** Begins a burst at a new institution. */
export async function startBurst(api: TestApi, { baseUrl, receiver, url = receiver.url }: BurstWay): Promise<Burst> {
  const institution = await api.institution();
  const endpointId = await plantEndpoint(api, institution, url);
  const taken = new Map<string, number>();
  const refused = new Set<string>();
  let seen = 0;
  let isWell = false;
  receiver.answer = async ({ headers }) => {
    const id = String(headers['webhook-id']);
    const isFirst = !taken.has(id) && !refused.has(id);
    if (isFirst) seen += 1;
    const refuses = isFirst && !isWell && seen % 10 === 0;
    if (refuses) refused.add(id);
    await pause(answersAfterMs);
    if (refuses) return 500;
    taken.set(id, (taken.get(id) ?? 0) + 1);
    return 200;
  };
  const calls: StudentCall[] = [];
  const over = createEach({ baseUrl, apiKey: institution.apiKey, clients, students, onCall: (call) => calls.push(call) });
  over.catch(() => undefined);
  return {
    institution,
    endpointId,
    calls,
    taken,
    refused,
    heal: () => {
      isWell = true;
    },
    middle: () => eventually('the middle of the burst', () => taken.size >= 200, 40_000).then(() => undefined),
    over,
  };
}

/** Events that the receiver took more than once. */
export const takenAgain = ({ taken }: Burst): string[] => [...taken].filter(([, times]) => times > 1).map(([id]) => id);

/** Calls of a burst that did not go well. */
export const notWell = ({ calls }: Burst): StudentCall[] => calls.filter(({ status }) => status !== 200);

/**
 * Every student of a burst whose creation was answered is there, whole, once, and announced: answers the ids of the
 * events. Waits until the integrators have seen all of them through.
 */
export async function expectAllCreated({ api: { domain } }: TestApi, burst: Burst): Promise<string[]> {
  const { sql } = domain.database;
  const { id: institutionId } = burst.institution;
  const ids = await burst.over;
  const found = await studentTraces(sql, institutionId);
  expect(found).toHaveLength(students);
  expect(new Map(found.map((student) => [student.student_id, student.id]))).toEqual(ids);
  for (const { studentId, body } of burst.calls.filter(({ status }) => status === 200)) expect(ids.get(studentId)).toBe(body.data.id);
  expect(notWhole(found)).toEqual([]);
  const events = await announcedEvents(sql, institutionId);
  expect(events).toHaveLength(students * 2);
  return events;
}

/** Waits until nothing is left, looking so seldom that it does not add to the load; fails with what is left. */
async function settles(what: string, look: () => Promise<string[]>): Promise<void> {
  const deadline = Date.now() + settledWithinMs;
  for (let left = await look(); left.length > 0; left = await look()) {
    if (Date.now() > deadline) throw new Error([`${what}, after ${settledWithinMs} ms:`, ...left].join('\n'));
    await pause(betweenLooksMs);
  }
}

/** Within a bounded time every delivery of a burst has ended or waits, and somebody waits for each that does. */
export async function expectAllAttended(api: TestApi, burst: Burst): Promise<void> {
  const { sql } = api.api.domain.database;
  await settles('Neither ended nor waiting', async () => {
    await lapseClaims(sql, abandonedAfterMs);
    const { delivered = 0, retrying = 0, held = 0, ...others } = await countByStatus(sql, burst.institution.id);
    return delivered + retrying + held === students * 2 ? [] : [JSON.stringify({ delivered, retrying, held, ...others })];
  });
  await settles('Nobody waits for', () => unattended(api, burst.institution.id));
}

/**
 * Within a bounded time every event of a burst is delivered, none is lost, and only attempts in flight were repeated,
 * at most `mostRepeated`; nobody waits any more. `events` are those that the service owes.
 */
export async function expectAllDelivered(api: TestApi, burst: Burst, events: readonly string[], mostRepeated = mostInFlight): Promise<void> {
  const { sql } = api.api.domain.database;
  const { institution, endpointId, taken, refused } = burst;
  await settles('Not delivered', async () => {
    await lapseClaims(sql, abandonedAfterMs);
    const { delivered = 0, ...others } = await countByStatus(sql, institution.id);
    return delivered === events.length ? [] : [JSON.stringify({ delivered, ...others })];
  });
  expect(events.filter((id) => !taken.has(id))).toEqual([]);
  expect(taken.size).toBe(events.length);
  expect(refused.size).toBeGreaterThanOrEqual(20);
  expect([...taken.values()].reduce((sum, times) => sum + times - 1, 0)).toBeLessThanOrEqual(mostRepeated);
  await settles('Still running', () => workflowsRunning(api, institution.id));
  expect(await circuitOf(sql, endpointId)).toMatchObject({ status: 'active', circuit: 'closed', backlog_open: false });
}
