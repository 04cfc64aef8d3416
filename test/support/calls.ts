import { setTimeout as pause } from 'node:timers/promises';

/** What became of one POST /students. */
export interface StudentCall {
  /** The institution's own identifier that it sent, unique among the calls. */
  studentId: string;
  /** Undefined when the call got no answer. */
  status: number | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  body: any;
  requestId: string | null;
  ms: number;
}

/** Clients that create students one after the other, all at the same time. */
export interface ClientOptions {
  baseUrl: string;
  apiKey: string;
  clients: number;
  /** Asked before each call: the clients end once it is false. */
  shouldContinue: (callsBegun: number) => boolean;
  /** Called with each call as it ends. */
  onCall?: (call: StudentCall) => void;
}

/** What a client waits after a call that did not go well, in ms. */
const failureDelayMs = 50;

/** Above what any call may take, in ms; one that takes longer counts as hanging. */
const requestTimeoutMs = 15_000;

/** Creates one student; an answer that never came is one without status. */
async function createStudent(baseUrl: string, apiKey: string, studentId: string): Promise<StudentCall> {
  const begun = performance.now();
  const call = { studentId, status: undefined, body: undefined, requestId: null };
  try {
    const response = await fetch(`${baseUrl}/students`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ student_id: studentId }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const body: unknown = await response.json();
    return { ...call, status: response.status, body, requestId: response.headers.get('x-request-id'), ms: performance.now() - begun };
  } catch {
    return { ...call, ms: performance.now() - begun };
  }
}

/** Creates students from all clients until they need not go on; answers every call, those without answer too. */
export async function createStudents({ baseUrl, apiKey, clients, shouldContinue, onCall }: ClientOptions): Promise<StudentCall[]> {
  const calls: StudentCall[] = [];
  let begun = 0;
  const client = async (): Promise<void> => {
    while (shouldContinue(begun)) {
      const call = await createStudent(baseUrl, apiKey, `S-${(begun += 1)}`);
      calls.push(call);
      onCall?.(call);
      if (call.status !== 200) await pause(failureDelayMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return calls;
}

/** Integrators that see each of so many students through, several at the same time. */
export interface IntegratorOptions {
  /** Where the API is now. */
  baseUrl: () => string;
  apiKey: string;
  clients: number;
  students: number;
  /** Called with each call as it ends. */
  onCall: (call: StudentCall) => void;
}

/** After so long without success an integrator gives up, in ms. */
const integratorTimeoutMs = 40_000;

/** The ids of the students that carry this identifier; undefined when nobody says. */
async function lookUp(baseUrl: string, apiKey: string, studentId: string): Promise<string[] | undefined> {
  try {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl}/students?student_id=${studentId}`, { headers, signal: AbortSignal.timeout(requestTimeoutMs) });
    const { data }: { data: { items: { id: string }[] } } = JSON.parse(await response.text());
    return response.status === 200 ? data.items.map(({ id }) => id) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates students as a careful integrator does: what got no good answer is looked up, and sent again when it is not
 * there. Answers the id of each, by the institution's own identifier; throws when one could not be seen through.
 */
export async function createStudentsReliably({ baseUrl, apiKey, clients, students, onCall }: IntegratorOptions): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  let begun = 0;
  const createReliably = async (studentId: string): Promise<string> => {
    const deadline = Date.now() + integratorTimeoutMs;
    let known: string[] | undefined = [];
    while (Date.now() < deadline) {
      if (known !== undefined) {
        const call = await createStudent(baseUrl(), apiKey, studentId);
        onCall(call);
        if (call.status === 200) return call.body.data.id;
      }
      await pause(failureDelayMs);
      known = await lookUp(baseUrl(), apiKey, studentId);
      const [id] = known ?? [];
      if (id !== undefined) return id;
    }
    throw new Error(`${studentId} was not created within ${integratorTimeoutMs} ms`);
  };
  const client = async (): Promise<void> => {
    while (begun < students) {
      const studentId = `S-${(begun += 1)}`;
      ids.set(studentId, await createReliably(studentId));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return ids;
}

/** The calls that were answered 200. */
export const successfulCalls = (calls: readonly StudentCall[]): StudentCall[] => calls.filter(({ status }) => status === 200);

/** The middle of what the calls took, in ms. */
export const medianMs = (calls: readonly StudentCall[]): number => calls.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(calls.length / 2)] ?? Number.NaN;
