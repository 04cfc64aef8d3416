import { setTimeout as pause } from 'node:timers/promises';

/** The result of one POST /students. */
export interface StudentCall {
  /** The institution's own identifier that it sent, unique among the calls. */
  studentId: string;
  /** Undefined if the call got no response. */
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
  /** Called before each call: the clients end once it returns false. */
  shouldContinue: (callsBegun: number) => boolean;
  /** Called with each call as it ends. */
  onCall?: (call: StudentCall) => void;
}

/** Delay of a client after a failed call, in ms. */
const failureDelayMs = 50;

/** Above what any call may take, in ms; one that takes longer counts as hanging. */
const requestTimeoutMs = 15_000;

/** Creates one student; without a response the result has no status. */
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

/** Creates students from all clients until they are stopped; returns every call, including those without a response. */
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

/** Integrators that create this many students reliably, several at the same time. */
export interface IntegratorOptions {
  /** Where the API is now. */
  baseUrl: () => string;
  apiKey: string;
  clients: number;
  students: number;
  /** Called with each call as it ends. */
  onCall: (call: StudentCall) => void;
  /** Resolves when the student with this number may be created. */
  mayBegin: (nth: number) => Promise<void>;
}

/** An integrator gives up after this time without success, in ms. */
const integratorTimeoutMs = 120_000;

/** Returns the ids of the students with this identifier; undefined without a response. */
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
 * Creates students like a careful integrator: after a failed call it looks the student up, and repeats the call if they do
 * not exist. Returns the id of each, by the institution's own identifier; throws if one could not be created.
 */
export async function createStudentsReliably({ baseUrl, apiKey, clients, students, onCall, mayBegin }: IntegratorOptions): Promise<Map<string, string>> {
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
      const nth = (begun += 1);
      const studentId = `S-${nth}`;
      await mayBegin(nth);
      ids.set(studentId, await createReliably(studentId));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return ids;
}

/** The calls with status 200. */
export const successfulCalls = (calls: readonly StudentCall[]): StudentCall[] => calls.filter(({ status }) => status === 200);

/** The median duration of the calls, in ms. */
export const medianMs = (calls: readonly StudentCall[]): number => calls.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(calls.length / 2)] ?? Number.NaN;
