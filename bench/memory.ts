import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchClient } from './benchClient';
import type { BenchEnvironment } from './environment';

const idleMs = 5_000;

/** Resident memory of a process in MB, from /proc. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_024);
}

/** What the API process takes at rest: started, one request answered, five seconds left alone. */
export async function benchMemory(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  try {
    await benchClient(environment, environment).call('GET', '/me');
    await sleep(idleMs);
    return [{ bench: 'API at rest', resident_mb: residentMegabytes(api.pid) }];
  } finally {
    await api.stop(5_000);
  }
}
