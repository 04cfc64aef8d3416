import { WebSocket } from 'undici';

interface CallResult {
  result?: { value?: unknown };
}

interface Message {
  id?: number;
  method?: string;
  params?: { sessionId?: string; message?: string };
  result?: CallResult;
}

/** Calls a method of a thread's inspector; returns its result. */
type InspectorCall = (method: string, params?: object) => Promise<CallResult>;

/** The inspector of a process: its main thread, and its workers. */
class Inspector {
  private lastId = 0;
  private readonly waiting = new Map<number, (result: CallResult) => void>();
  private readonly threads = new Set<string>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.handleMessage(JSON.parse(String(data)) as Message));
  }

  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`The inspector at ${url} does not respond`)), { once: true });
    });
    return new Inspector(socket);
  }

  /** Returns a call for the main thread, and one for each of the others. */
  async allThreads(): Promise<InspectorCall[]> {
    const main: InspectorCall = (method, params = {}) => this.send((id) => ({ id, method, params }));
    await main('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const others = [...this.threads].map((sessionId): InspectorCall => (method, params = {}) =>
      this.send((id) => {
        const message = JSON.stringify({ id, method, params });
        // The main thread, which forwards the message, responds with an id that is not awaited.
        return { id: -id, method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } };
      }),
    );
    return [main, ...others];
  }

  /** Resolves when the connection is closed. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.socket.addEventListener('close', () => resolve(), { once: true }));
    this.socket.close();
    await closed;
  }

  private send(message: (id: number) => object): Promise<CallResult> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify(message(id)));
    });
  }

  private handleMessage({ id, method, params = {}, result = {} }: Message): void {
    if (method === 'NodeWorker.attachedToWorker' && params.sessionId !== undefined) this.threads.add(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker' && params.message !== undefined) this.handleMessage(JSON.parse(params.message) as Message);
    if (id === undefined) return;
    this.waiting.get(id)?.(result);
    this.waiting.delete(id);
  }
}

/** What the objects of a process use, in bytes: on the JavaScript heaps of all its threads, and outside them, as buffers do. */
export interface LiveMemory {
  heap: number;
  external: number;
}

/**
 * Collects the garbage of every thread of a process, twice for what finalizers hold, and returns what is live then. `url` is the
 * WebSocket URL of its inspector.
 */
export async function measureLiveMemory(url: string): Promise<LiveMemory> {
  const inspector = await Inspector.open(url);
  try {
    const live: LiveMemory = { heap: 0, external: 0 };
    for (const call of await inspector.allThreads()) {
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      live.heap += await evaluateNumber(call, 'process.memoryUsage().heapUsed');
      live.external += await evaluateNumber(call, 'process.memoryUsage().external');
    }
    return live;
  } finally {
    await inspector.close();
  }
}

async function evaluateNumber(call: InspectorCall, expression: string): Promise<number> {
  const { result } = await call('Runtime.evaluate', { expression, returnByValue: true });
  if (typeof result?.value !== 'number') throw new Error(`A thread does not know ${expression}`);
  return result.value;
}
