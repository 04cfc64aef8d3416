import autocannon from 'autocannon';
import { barePort, type BenchEnvironment } from './environment';
import { median, rounded } from './statistics';

const connections = 32;
const rounds = 5;
const secondsPerRound = 4;

interface Load {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

async function load(baseUrl: string, keys: readonly string[], { method, path, body }: Load, seconds: number): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url: baseUrl + path,
    method,
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { body }),
    setupClient: (client) => {
      const key = keys[next % keys.length] ?? '';
      next += 1;
      client.setHeaders({ authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) });
    },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${method} ${path}: ${result.non2xx} error responses, ${result.errors} connection errors`);
  return result['2xx'] / result.duration;
}

/** Measures requests per second through the whole service and through the bare handler, alternating, one process each. */
async function compare(environment: BenchEnvironment, what: Load): Promise<object> {
  const bareUrl = `http://127.0.0.1:${barePort}/v1`;
  const pairs: { service: number; bare: number }[] = [];
  for (const base of [environment.apiUrl, bareUrl]) await load(base, environment.keys, what, 1);
  // Each connection keeps plans from when the tables were empty until statistics are updated.
  await environment.database.sql('ANALYZE');
  for (let round = 0; round < rounds; round += 1) {
    const service = await load(environment.apiUrl, environment.keys, what, secondsPerRound);
    const bare = await load(bareUrl, environment.keys, what, secondsPerRound);
    pairs.push({ service, bare });
  }
  return {
    service_per_s: Math.round(median(pairs.map(({ service }) => service))),
    bare_per_s: Math.round(median(pairs.map(({ bare }) => bare))),
    ratio: rounded(median(pairs.map(({ service, bare }) => service / bare))),
    rounds,
  };
}

/** Measures `GET /students/{id}` and `POST /students` against a bare handler with the same statements. */
export async function benchHttp(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  const bare = await environment.program(
    'bare',
    'bench/programs/bareHandler.js',
    { BENCH_PORT: String(barePort), BENCH_INSTITUTION: environment.institutionId },
    `http://127.0.0.1:${barePort}/`,
  );
  try {
    const created = await fetch(`${environment.apiUrl}/students`, {
      method: 'POST',
      headers: { authorization: `Bearer ${environment.keys[0] ?? ''}`, 'content-type': 'application/json' },
      body: '{"full_name":"Bench"}',
    });
    const login = /"id":"(stu_\w+)"/.exec(await created.text())?.[1] ?? '';
    return [
      { bench: 'GET /v1/students/{id}', ...(await compare(environment, { method: 'GET', path: `/students/${login}` })) },
      { bench: 'POST /v1/students', ...(await compare(environment, { method: 'POST', path: '/students', body: '{"full_name":"Bench"}' })) },
    ];
  } finally {
    await bare.stop(5_000);
    await api.stop(5_000);
  }
}
