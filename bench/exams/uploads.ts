import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { barePort, type BenchEnvironment } from '../environment';
import { residentMegabytes } from '../memory';
import { median, rounded } from '../statistics';
import { call } from './people';

const megabytes = 50;
const concurrentUploads = 20;
const rounds = 3;
const sampleIntervalMs = 50;

/** Runs uploads concurrently; returns MB per second, and the maximum memory of the process during them. */
async function load(pid: number, upload: () => Promise<Response>): Promise<{ perSecond: number; highestMb: number }> {
  let highestMb = 0;
  const sampling = setInterval(() => (highestMb = Math.max(highestMb, residentMegabytes(pid))), sampleIntervalMs);
  const started = performance.now();
  try {
    const responses = await Promise.all(Array.from({ length: concurrentUploads }, upload));
    for (const response of responses) {
      const text = await response.text();
      if (!response.ok) throw new Error(`An upload returned ${response.status} ${text.slice(0, 300)}`);
    }
  } finally {
    clearInterval(sampling);
  }
  return { perSecond: (concurrentUploads * megabytes) / ((performance.now() - started) / 1_000), highestMb };
}

/** Measures 20 concurrent uploads of 50 MiB against a bare handler that hashes and writes the body; alternating. */
export async function benchUploads(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  const bare = await environment.program(
    'bareUpload',
    'bench/programs/bareUpload.js',
    { BENCH_PORT: String(barePort), BENCH_FOLDER: join(projectRoot(), '.local', 'bench', 'bareUploads') },
    `http://127.0.0.1:${barePort}/`,
  );
  try {
    const school = await environment.institution('uploads', 1);
    const { items: [owner] } = await call<{ items: { id: string }[] }>(environment, school, 'GET', '/faculty');
    const blob = new Blob([Buffer.alloc(megabytes * 1024 * 1024, 7)]);
    const pairs: { service: number; bare: number; highestMb: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await call<{ id: string }>(environment, school, 'POST', '/exams', { faculty_id: owner?.id, title: 'Sums', publish: false });
      const service = await load(api.pid, () => {
        const form = new FormData();
        form.append('file', blob, 'tests.zip');
        return fetch(`${environment.apiUrl}/exams/${id}/files`, { method: 'POST', headers: { authorization: `Bearer ${school.keys[0] ?? ''}` }, body: form });
      });
      await call(environment, school, 'DELETE', `/exams/${id}`);
      const { perSecond } = await load(bare.pid, () => fetch(`http://127.0.0.1:${barePort}/`, { method: 'POST', body: blob }));
      pairs.push({ service: service.perSecond, bare: perSecond, highestMb: service.highestMb });
    }
    return [
      {
        bench: `${concurrentUploads} uploads of ${megabytes} MiB at the same time`,
        mib_per_s: Math.round(median(pairs.map(({ service }) => service))),
        bare_mib_per_s: Math.round(median(pairs.map((pair) => pair.bare))),
        ratio: rounded(median(pairs.map((pair) => pair.service / pair.bare))),
        api_mb_highest: Math.max(...pairs.map(({ highestMb }) => highestMb)),
        rounds,
      },
    ];
  } finally {
    await bare.stop(5_000);
    await api.stop(5_000);
  }
}
