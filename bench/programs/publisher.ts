import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import Joi from 'joi';
import { Pool } from 'undici';

/*
 * The publisher of the webhook benches, in a separate process: one PATCH of a student per call, each of which causes one
 * event. It reads its work as one line of JSON, and writes one JSON text with every call at the end. It also ends when its
 * standard input is closed.
 */
interface Work {
  /** The base URL with /v1. */
  url: string;
  institutions: { keys: string[]; students: string[] }[];
  /** Calls per second, regardless of response times; null for as fast as responses arrive. */
  perSecond: number | null;
  seconds: number;
  connections: number;
}

/** Times in ms since 1970 with fractions; status 0 if no response arrived. */
interface Call {
  student: string;
  start: number;
  end: number;
  status: number;
}

const texts = Joi.array().items(Joi.string()).required();
const workSchema = Joi.object<Work>({
  url: Joi.string().required(),
  institutions: Joi.array().items(Joi.object({ keys: texts, students: texts })).required(),
  perSecond: Joi.number().allow(null).required(),
  seconds: Joi.number().required(),
  connections: Joi.number().required(),
});

const clock = (): number => performance.timeOrigin + performance.now();

async function publish({ url, institutions, perSecond, seconds, connections }: Work): Promise<Call[]> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const calls: Call[] = [];
  // Every name is new, because a change without effect causes no event.
  const series = Date.now().toString(36);

  const call = async (nth: number, due?: number): Promise<void> => {
    const { keys = [], students = [] } = institutions[nth % institutions.length] ?? {};
    const round = Math.floor(nth / institutions.length);
    const student = students[round % students.length] ?? '';
    const start = due ?? clock();
    let status = 0;
    try {
      const response = await pool.request({
        method: 'PATCH',
        path: `${pathname}/students/${student}`,
        headers: { authorization: `Bearer ${keys[round % keys.length] ?? ''}`, 'content-type': 'application/json' },
        body: `{"full_name":"Student ${series} ${nth}"}`,
      });
      await response.body.dump();
      status = response.statusCode;
    } catch {
      // No response: status 0.
    }
    calls.push({ student, start, end: clock(), status });
  };

  const begun = clock();
  if (perSecond === null) {
    let next = 0;
    const caller = async (): Promise<void> => {
      while (clock() < begun + seconds * 1_000) await call(next++);
    };
    await Promise.all(Array.from({ length: connections }, caller));
  } else {
    const underWay: Promise<void>[] = [];
    for (let nth = 0; nth < perSecond * seconds; nth += 1) {
      const due = begun + (nth * 1_000) / perSecond;
      if (due > clock()) await sleep(due - clock());
      underWay.push(call(nth, due));
    }
    await Promise.all(underWay);
  }
  await pool.close();
  return calls;
}

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const work = workSchema.validate(JSON.parse(line));
  if (work.error !== undefined) throw work.error;
  void publish(work.value).then((calls) => {
    process.stdout.write(JSON.stringify({ calls }), () => process.exit(0));
  });
});
process.stdin.once('end', () => process.exit(1));
