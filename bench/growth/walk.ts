import { crawl } from '../crawl';
import type { BenchEnvironment } from '../environment';
import { processorSeconds } from '../processorTime';
import { median, quantile, rounded } from '../statistics';
import type { FilledInstitution } from './fill';

/** Pages at either end whose times are compared. */
const compared = 20;

/** Measures a walk of every student by cursor, and its CPU time. */
export async function benchWalk(environment: BenchEnvironment, { institution }: FilledInstitution, students: number): Promise<object> {
  const api = await environment.startApi();
  try {
    await crawl(environment, institution, compared);
    const cpu = (): Record<string, number> => Object.fromEntries(['api', 'postgres'].map((name) => [name, processorSeconds(environment.pids.get(name) ?? 0)]));
    const before = cpu();
    const begun = performance.now();
    const { ids, pageMs } = await crawl(environment, institution);
    const seconds = (performance.now() - begun) / 1_000;
    const after = cpu();
    const missing = students - new Set(ids).size;
    if (missing !== 0) process.exitCode = 1;
    return {
      bench: `growth: a walk of ${students} students by cursor`,
      pages: pageMs.length,
      p50_ms: rounded(median(pageMs)),
      p95_ms: rounded(quantile(pageMs, 0.95)),
      p99_ms: rounded(quantile(pageMs, 0.99)),
      first_20_median_ms: rounded(median(pageMs.slice(0, compared))),
      last_20_median_ms: rounded(median(pageMs.slice(-compared))),
      seconds: rounded(seconds, 1),
      cpu_seconds: Object.fromEntries(Object.entries(after).map(([name, value]) => [name, rounded(value - (before[name] ?? 0), 1)])),
      ...(missing === 0 ? {} : { failed: `${missing} students are missing` }),
    };
  } finally {
    await api.stop(5_000);
  }
}
