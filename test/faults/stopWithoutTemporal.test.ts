import { eventually } from '../support/eventually';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { stack, type TestStack } from '../support/stack';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';

/** An orchestrator kills what has not ended after 10 s. */
const timeoutMs = 10_000;

let testStack: TestStack;
let programs: Programs;
let proxy: TcpProxy;

beforeAll(async () => {
  testStack = await stack();
  programs = openPrograms();
});

afterAll(async () => {
  await programs.end();
  await testStack.stop();
});

beforeEach(async () => {
  proxy = await startTcpProxy(testStack.temporalAddress);
});

afterEach(() => proxy.close());

const ways = [
  ['refuses connections', () => proxy.refuse()],
  ['hangs', async () => proxy.hang()],
] as const;

const worker = (): Promise<Program> => programs.worker(testStack.settings({ temporalAddress: proxy.address }));

async function says(program: Program, status: string): Promise<boolean> {
  const answer = await fetch(`${program.internalUrl}/readyz`);
  return (await answer.text()).includes(`"status":"${status}"`);
}

async function expectEnd(program: Program): Promise<void> {
  const { code, signal, ms } = await program.stop();
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(ms).toBeLessThan(timeoutMs);
}

it.each(ways)('while Temporal %s a worker starts, and ends in order when asked, whether it had been at work or not; back, it is found', async (_how, goAway) => {
  const atWork = await worker();
  await eventually('the worker at Temporal', () => says(atWork, 'ready'));
  await goAway();
  const ending = expectEnd(atWork);
  const [starting, staying] = await Promise.all([worker(), worker()]);
  expect(await says(staying, 'degraded')).toBe(true);
  await Promise.all([ending, expectEnd(starting)]);
  await proxy.resume();
  await eventually('the worker at Temporal', () => says(staying, 'ready'));
  await staying.kill();
});
