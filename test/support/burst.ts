import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestApi, TestInstitution } from './api';
import { createStudentsReliably, type StudentCall } from './calls';
import { circuitOf } from './circuits';
import { seedEndpoint } from './seed/endpoints';
import { eventually } from './eventually';
import type { Receiver } from './receiver';
import { announcedEvents, countByStatus, incompleteStudents, studentRecordsOf } from './studentRecords';
import { stuckDeliveries, runningWorkflows } from './stuckDeliveries';

/** Number of students that a burst creates, with two events each. */
const students = 500;
/** The last students are created once the middle is seen, however slowly events flow: a fault then always meets calls. */
const studentsBeforeMiddle = 300;
const clients = 16;
/** Maximum number of attempts in flight: the maximum concurrency of an endpoint, and as many whose results are being written. */
const maxInFlight = 2 * 64;
/** The receiver's delay, in ms, so that there are always attempts in flight. */
const responseDelayMs = 20;
/** The first retry waits 5 s, and claims that nobody has received expire after 20 s; the remaining time is for a busy machine. */
const settleTimeoutMs = 180_000;
const pollIntervalMs = 200;

/** 1,000 events of one institution, sent to a receiver that rejects every tenth at first. */
export interface Burst {
  institution: TestInstitution;
  endpointId: string;
  /** Every call so far. */
  calls: readonly StudentCall[];
  /** How often the receiver accepted each event. */
  receivedCounts: ReadonlyMap<string, number>;
  /** Events that the receiver rejected at first. */
  rejectedIds: ReadonlySet<string>;
  /** From now on the receiver rejects nothing. */
  stopRejecting(): void;
  /** Resolves while events flow, some have arrived, and some are waiting for their second attempt; the last students are created from then on. */
  waitForMiddle(): Promise<void>;
  /** Resolves when every student is created, with their ids. */
  completed: Promise<Map<string, string>>;
}

/** The API that a burst calls, and the receiver of its events. */
export interface BurstOptions {
  /** Where the API is now. */
  baseUrl: () => string;
  receiver: Receiver;
  /** Where the endpoint is; the receiver's own address without it. */
  url?: string;
}

/** Begins a burst at a new institution. */
export async function startBurst(api: TestApi, { baseUrl, receiver, url = receiver.url }: BurstOptions): Promise<Burst> {
  const institution = await api.institution();
  const endpointId = await seedEndpoint(api, institution, url);
  const receivedCounts = new Map<string, number>();
  const rejectedIds = new Set<string>();
  let seen = 0;
  let acceptsAll = false;
  receiver.respond = async ({ headers }) => {
    const id = String(headers['webhook-id']);
    const isFirst = !receivedCounts.has(id) && !rejectedIds.has(id);
    if (isFirst) seen += 1;
    const refuses = isFirst && !acceptsAll && seen % 10 === 0;
    if (refuses) rejectedIds.add(id);
    await pause(responseDelayMs);
    if (refuses) return 500;
    receivedCounts.set(id, (receivedCounts.get(id) ?? 0) + 1);
    return 200;
  };
  const calls: StudentCall[] = [];
  const middle = new EventEmitter();
  const middleSeen = once(middle, 'seen');
  const completed = createStudentsReliably({
    baseUrl,
    apiKey: institution.apiKey,
    clients,
    students,
    onCall: (call) => calls.push(call),
    mayBegin: async (nth) => {
      if (nth > studentsBeforeMiddle) await middleSeen;
    },
  });
  completed.catch(() => undefined);
  return {
    institution,
    endpointId,
    calls,
    receivedCounts,
    rejectedIds,
    stopRejecting: () => {
      acceptsAll = true;
    },
    waitForMiddle: async () => {
      await eventually('the middle of the burst', () => receivedCounts.size >= 200);
      middle.emit('seen');
    },
    completed,
  };
}

/** Events that the receiver accepted more than once. */
export const receivedRepeatedly = ({ receivedCounts }: Burst): string[] => [...receivedCounts].filter(([, times]) => times > 1).map(([id]) => id);

/** Failed calls of a burst. */
export const failedCalls = ({ calls }: Burst): StudentCall[] => calls.filter(({ status }) => status !== 200);

/**
 * Checks that every student of a burst whose creation was confirmed exists once, is complete, and was announced; returns the
 * ids of the events. Waits until the integrators have created all of them.
 */
export async function expectAllCreated({ api: { domain } }: TestApi, burst: Burst): Promise<string[]> {
  const { sql } = domain.database;
  const { id: institutionId } = burst.institution;
  const ids = await burst.completed;
  const found = await studentRecordsOf(sql, institutionId);
  expect(found).toHaveLength(students);
  expect(new Map(found.map((student) => [student.student_id, student.id]))).toEqual(ids);
  for (const { studentId, body } of burst.calls.filter(({ status }) => status === 200)) expect(ids.get(studentId)).toBe(body.data.id);
  expect(incompleteStudents(found)).toEqual([]);
  const events = await announcedEvents(sql, institutionId);
  expect(events).toHaveLength(students * 2);
  return events;
}

/** Waits until nothing is left, polling rarely to avoid load; fails with what is left. */
async function waitUntilEmpty(what: string, look: () => Promise<string[]>): Promise<void> {
  const deadline = Date.now() + settleTimeoutMs;
  for (let left = await look(); left.length > 0; left = await look()) {
    if (Date.now() > deadline) throw new Error([`${what}, after ${settleTimeoutMs} ms:`, ...left].join('\n'));
    await pause(pollIntervalMs);
  }
}

/** Within a bounded time every delivery of a burst has ended or waits, and somebody waits for each that does. */
export async function expectNoStuckDeliveries(api: TestApi, burst: Burst): Promise<void> {
  const { sql } = api.api.domain.database;
  await waitUntilEmpty('Neither ended nor waiting', async () => {
    const { delivered = 0, retrying = 0, held = 0, ...others } = await countByStatus(sql, burst.institution.id);
    return delivered + retrying + held === students * 2 ? [] : [JSON.stringify({ delivered, retrying, held, ...others })];
  });
  await waitUntilEmpty('Nobody waits for', () => stuckDeliveries(api, burst.institution.id));
}

/**
 * Within a bounded time every event of a burst is delivered, none is lost, and only attempts in flight were repeated,
 * at most `mostRepeated`; nothing waits any more. `events` are those to be delivered.
 */
export async function expectAllDelivered(api: TestApi, burst: Burst, events: readonly string[], mostRepeated = maxInFlight): Promise<void> {
  const { sql } = api.api.domain.database;
  const { institution, endpointId, receivedCounts, rejectedIds } = burst;
  await waitUntilEmpty('Not delivered', async () => {
    const { delivered = 0, ...others } = await countByStatus(sql, institution.id);
    return delivered === events.length ? [] : [JSON.stringify({ delivered, ...others })];
  });
  expect(events.filter((id) => !receivedCounts.has(id))).toEqual([]);
  expect(receivedCounts.size).toBe(events.length);
  expect(rejectedIds.size).toBeGreaterThanOrEqual(20);
  expect([...receivedCounts.values()].reduce((sum, times) => sum + times - 1, 0)).toBeLessThanOrEqual(mostRepeated);
  await waitUntilEmpty('Still running', () => runningWorkflows(api, institution.id));
  expect(await circuitOf(sql, endpointId)).toMatchObject({ status: 'active', circuit: 'closed', backlog_open: false });
}
