import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { startRepeatingTask } from '../../lib/repeatingTask';
import { continueTrace, currentTraceparent, inNewTrace, inSpan, recordEndedWork, traceIds, traceRequest } from '../../lib/tracing';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => provider.register({ contextManager: new AsyncLocalStorageContextManager() }));
beforeEach(() => exporter.reset());
afterAll(() => {
  trace.disable();
  context.disable();
});

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const names = (): string[] => exporter.getFinishedSpans().map(({ name }) => name);

it('work outside of a trace makes no span, and has no ids', async () => {
  expect(await inSpan('one', async () => [currentTraceparent(), traceIds()])).toEqual([undefined, {}]);
  expect(await traceRequest(() => 'two', {}, Promise.resolve(2))).toBe(2);
  expect(names()).toEqual([]);
});

it.each([null, '', 'nonsense', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', parent.replace(/01$/, '00'), parent.replace(/^00/, '01')])('a traceparent of %j continues no recorded trace', async (traceparent) => {
  expect(continueTrace(traceparent, currentTraceparent)).toBeUndefined();
});

it('a request to a store has a span if it takes long or fails, with the type of its error alone', async () => {
  const slow = new Promise((resolve) => setTimeout(resolve, 20));
  await continueTrace(parent, async () => {
    await traceRequest(() => 'quick', {}, Promise.resolve());
    await traceRequest(() => 'slow', {}, slow);
    await expect(traceRequest(() => 'failed', {}, Promise.reject(new RangeError('planted')))).rejects.toThrow('planted');
  });
  expect(names()).toEqual(['slow', 'failed']);
  expect(exporter.getFinishedSpans().map(({ attributes, status, events }) => [attributes, status.message, events])).toEqual([[{}, undefined, []], [{ 'error.type': 'RangeError' }, undefined, []]]);
});

it('work that has ended elsewhere keeps the id under which others name it as their parent', () => {
  recordEndedWork({ name: 'run', parent, spanId: '0123456789abcdef', startedAtMs: 1_795_000_001_000, endedAtMs: 1_795_000_003_500, ok: false, attributes: { run_id: 'r' } });
  const [span] = exporter.getFinishedSpans();
  expect(span?.spanContext()).toMatchObject({ traceId: parent.slice(3, 35), spanId: '0123456789abcdef' });
  expect(span).toMatchObject({ parentSpanId: '00f067aa0ba902b7', startTime: [1_795_000_001, 0], endTime: [1_795_000_003, 500_000_000], status: { code: 2 } });
});

it('a loop that work of a trace wakes belongs to no trace, nor do its later rounds', async () => {
  const seen: (string | undefined)[] = [];
  const rounds = new Promise<void>((resolve) => {
    void inNewTrace('call', undefined, async () => {
      const task = startRepeatingTask(async () => {
        seen.push(currentTraceparent());
        if (seen.length === 3) {
          resolve();
          void task.stop();
        }
      }, { everyMs: 1, onError: () => undefined });
      task.wake();
    });
  });
  await rounds;
  expect(seen).toEqual([undefined, undefined, undefined]);
});
