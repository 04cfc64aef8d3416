import { setTimeout as sleep } from 'node:timers/promises';
import Joi from 'joi';

const answerWithinMs = 60_000;

/** A refusal of the API, in its own words. */
class ApiRefusal extends Error {
  constructor(what: string, readonly status: number, readonly code: string, message: string) {
    super(`${what} answered ${status} ${code}: ${message}`);
  }
}

/** The few calls that the demo needs, as any integration would make them. */
export interface DemoClient {
  call<Data>(method: string, path: string, body?: object): Promise<Data>;
  /** Every item of a list, page after page. */
  all<Item>(path: string): Promise<Item[]>;
}

interface Answered<Data> {
  success: boolean;
  data: Data;
  error: string;
  message: string;
}

/** A client of the public API; waits as `Retry-After` says where the limiter refuses. */
export function demoClient(baseUrl: string, apiKey: string): DemoClient {
  const call = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    if (response.status === 429 || response.status === 503) {
      await response.body?.cancel();
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      return call(method, path, body);
    }
    const read = Joi.object<Answered<Data>>({ success: Joi.boolean().required() }).unknown().validate(await response.json());
    if (read.error !== undefined) throw read.error;
    const answered = read.value;
    if (!answered.success) throw new ApiRefusal(`${method} ${path}`, response.status, answered.error, answered.message);
    return answered.data;
  };
  const all = async <Item>(path: string): Promise<Item[]> => {
    const items: Item[] = [];
    for (let page = 1; ; page += 1) {
      const joined = path.includes('?') ? '&' : '?';
      const answer = await call<{ items: Item[]; has_more: boolean }>('GET', `${path}${joined}limit=200&page=${page}`);
      items.push(...answer.items);
      if (!answer.has_more) return items;
    }
  };
  return { call, all };
}
