import Joi from 'joi';
import { receiverControlPort } from '../environment';

const controlUrl = `http://127.0.0.1:${receiverControlPort}`;

/** How a path of the receiver responds: 204 immediately; nothing for `hang` seconds; 500; 500 to the first attempt of every tenth event. */
export type ReceiverMode = 'ok' | { hang: number } | 'fail' | 'tenth';

/** What one path received: the n-th id at the n-th time (ms since 1970), including repetitions. */
export interface ReceivedEvents {
  ids: string[];
  at: number[];
  /** Events whose first attempt the receiver rejected by its mode. */
  refusedAtFirst: string[];
}

type Counts = Record<string, { arrived: number; refused: number }>;

const count = Joi.number().required();
const countsSchema = Joi.object<Counts>().pattern(Joi.string(), Joi.object({ arrived: count, refused: count }));
const strings = Joi.array().items(Joi.string()).required();
const takenSchema = Joi.object<Record<string, ReceivedEvents>>().pattern(
  Joi.string(),
  Joi.object({ ids: strings, at: Joi.array().items(Joi.number().unsafe()).required(), refusedAtFirst: strings }),
);

async function request(method: string, path: string): Promise<unknown> {
  const response = await fetch(controlUrl + path, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(`The receiver responded to ${method} ${path} with ${response.status} ${text}`);
  return JSON.parse(text);
}

function validated<T>(schema: Joi.ObjectSchema<T>, value: unknown): T {
  const read = schema.validate(value);
  if (read.error !== undefined) throw read.error;
  return read.value;
}

/** The receiver's process, controlled over its second port. */
export const receiver = {
  readyUrl: `${controlUrl}/counts`,
  /** Returns how many different events each path has received, and how many attempts it rejected. */
  counts: async (): Promise<Counts> => validated(countsSchema, await request('GET', '/counts')),
  /** Returns what was received by path since the last reset. */
  received: async (): Promise<Record<string, ReceivedEvents>> => validated(takenSchema, await request('GET', '/arrivals')),
  reset: () => request('DELETE', '/arrivals'),
  setMode: (path: string, answering: ReceiverMode) => {
    const [mode, seconds] = typeof answering === 'string' ? [answering, 0] : ['hang', answering.hang];
    return request('PUT', `/mode?path=${path}&mode=${mode}&seconds=${seconds}`);
  },
  /** Closes its port and every connection, so that connections are refused. */
  stopListening: () => request('PUT', '/listening?on=no'),
  startListening: () => request('PUT', '/listening?on=yes'),
};
