import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { benchClient } from './benchClient';
import { barePort, type BenchEnvironment } from './environment';
import { median, rounded } from './statistics';

const connections = 32;
const rounds = 5;
const secondsPerRound = 4;

interface Load {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Each request with an `Idempotency-Key` of its own. */
  keyed?: boolean;
}

/** One of two that are compared: a load at an address. */
interface Side extends Load {
  baseUrl: string;
}

async function load({ baseUrl, method, path, body, keyed = false }: Side, keys: readonly string[], seconds: number): Promise<number> {
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
    ...(keyed ? { requests: [{ setupRequest: (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }) }] } : {}),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${method} ${path}: ${result.non2xx} error responses, ${result.errors} connection errors`);
  return result['2xx'] / result.duration;
}

/** Measures requests per second of two sides, alternating. */
async function compare({ keys, database }: BenchEnvironment, one: Side, other: Side): Promise<{ one: number; other: number; ratio: number }> {
  const pairs: { one: number; other: number }[] = [];
  for (const side of [one, other]) await load(side, keys, 1);
  // Each connection keeps plans from when the tables were empty until statistics are updated.
  await database.sql('ANALYZE');
  for (let round = 0; round < rounds; round += 1) pairs.push({ one: await load(one, keys, secondsPerRound), other: await load(other, keys, secondsPerRound) });
  return {
    one: Math.round(median(pairs.map((pair) => pair.one))),
    other: Math.round(median(pairs.map((pair) => pair.other))),
    ratio: rounded(median(pairs.map((pair) => pair.one / pair.other))),
  };
}

/** The whole service against the bare handler, one process each. */
async function compareWithBare(environment: BenchEnvironment, what: Load): Promise<object> {
  const { one, other, ratio } = await compare(environment, { ...what, baseUrl: environment.apiUrl }, { ...what, baseUrl: `http://127.0.0.1:${barePort}/v1` });
  return { service_per_s: one, bare_per_s: other, ratio, rounds };
}

/** Calls that may be repeated against the same calls without a key. */
async function compareKeyed(environment: BenchEnvironment, what: Load): Promise<object> {
  const side = { ...what, baseUrl: environment.apiUrl };
  const { one, other, ratio } = await compare(environment, { ...side, keyed: true }, side);
  return { keyed_per_s: one, plain_per_s: other, ratio, rounds };
}

/** Measures `GET /students/{id}` and `POST /students` against a bare handler with the same statements, and `POST` with an `Idempotency-Key` against one without. */
export async function benchHttp(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  const bare = await environment.program(
    'bare',
    'bench/programs/bareHandler.js',
    { BENCH_PORT: String(barePort), BENCH_INSTITUTION: environment.institutionId },
    `http://127.0.0.1:${barePort}/`,
  );
  try {
    const { id } = await benchClient(environment, environment).call('POST', '/students', { body: { full_name: 'Bench' } });
    const create: Load = { method: 'POST', path: '/students', body: '{"full_name":"Bench"}' };
    return [
      { bench: 'GET /v1/students/{id}', ...(await compareWithBare(environment, { method: 'GET', path: `/students/${id}` })) },
      { bench: 'POST /v1/students', ...(await compareWithBare(environment, create)) },
      { bench: 'POST /v1/students with a key', ...(await compareKeyed(environment, create)) },
    ];
  } finally {
    await bare.stop(5_000);
    await api.stop(5_000);
  }
}
