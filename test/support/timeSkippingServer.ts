import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToNumber } from '@temporalio/common/lib/time';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { freePort } from '../../local/ports';
import { registerSearchAttributes } from '../../outbound/temporal/searchAttributes';
import { startDedicatedServer } from './dedicatedServer';
import { timeSkippingServerPath } from './stack';

const smallestStepMs = 10 * 60_000;

/**
 * One call that skips days of much work lasts so long on a busy machine that the server breaks its connection off, and
 * the client sends the call once more: the days are skipped twice. Steps grow short towards the end, so one that is sent
 * twice goes hardly beyond it.
 */
function sleepInSteps(environment: TestWorkflowEnvironment): void {
  const { sleep } = environment;
  environment.sleep = async (duration) => {
    const end = (await environment.currentTimeMs()) + msToNumber(duration);
    for (;;) {
      const left = end - (await environment.currentTimeMs());
      if (left <= 0) return;
      await sleep(Math.min(left, Math.max(smallestStepMs, Math.ceil(left / 16))));
    }
  };
}

async function requireConnection(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  await connection.close();
}

/** The server takes connections that ping it more often than every five minutes for an attack, and ends them with the calls under way. */
const channelArgs = { 'grpc.keepalive_time_ms': 2 ** 31 - 1 };

/** The environment that the SDK makes of a running server; its options do not include those of a connection. */
async function connectTo(port: number, path: string): Promise<TestWorkflowEnvironment> {
  const connect = Connection.connect.bind(Connection);
  Connection.connect = (options) => connect({ ...options, channelArgs });
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { port, executable: { type: 'existing-path', path } } });
  } finally {
    Connection.connect = connect;
  }
}

/** What the SDK may take for the server, which runs already. It ends within a second of this process, which may be ended itself before it ends what it has started. */
function placeholderExecutable(folder: string): string {
  const path = join(folder, 'stand-in');
  writeFileSync(path, `#!/bin/sh\nwhile kill -0 ${process.pid} 2>/dev/null; do sleep 1; done\n`);
  chmodSync(path, 0o755);
  return path;
}

/**
 * A running time-skipping server that knows our search attributes; the caller tears it down. It is started before the
 * SDK would, which gives it five seconds, less than a Java program needs on a busy machine.
 */
export async function timeSkippingEnvironment(program = timeSkippingServerPath()): Promise<TestWorkflowEnvironment> {
  const port = await freePort();
  const { started, server } = await startDedicatedServer('time-skipping', async ({ folder, environment, logFile, launcher }) => {
    const running = await launcher({
      name: 'time-skipping',
      program,
      args: [String(port)],
      env: environment,
      logFile,
      stopSignal: 'SIGTERM',
      readyWithinMs: 120_000,
      ready: () => requireConnection(`127.0.0.1:${port}`),
    });
    return { path: placeholderExecutable(folder), stop: (graceMs: number) => running.stop(graceMs) };
  });
  try {
    const environment = await connectTo(port, started.path);
    const { teardown } = environment;
    environment.teardown = async () => {
      await teardown.call(environment);
      await server.stop();
    };
    await registerSearchAttributes(environment.connection, environment.namespace ?? 'default');
    sleepInSteps(environment);
    return environment;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
