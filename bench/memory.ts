import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchEnvironment } from './environment';

const idleMs = 5_000;

/** Returns the resident memory of a process in MB, from /proc. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_024);
}

/** Measures the idle memory of the API process: started, one request, five seconds without load. */
export async function benchMemory(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  try {
    const response = await fetch(`${environment.apiUrl}/me`, { headers: { authorization: `Bearer ${environment.keys[0] ?? ''}` } });
    if (!response.ok) throw new Error(`GET /me returned ${response.status}`);
    await sleep(idleMs);
    return [{ bench: 'idle API', resident_mb: residentMegabytes(api.pid) }];
  } finally {
    await api.stop(5_000);
  }
}
