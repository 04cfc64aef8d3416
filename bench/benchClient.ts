import { InstitutionClient } from '../clients/typescript/src';
import { requestData } from '../clients/typescript/src/request';

/** Returns the typed client for an institution's first key. It does not retry, so that a bench sees every rejection. */
export function benchClient({ apiUrl }: { apiUrl: string }, { keys }: { keys: readonly string[] }): InstitutionClient {
  return new InstitutionClient({ baseUrl: apiUrl, apiKey: keys[0] ?? '', tries: 1 });
}

/** One call of the public or the platform API, for benches that choose its path as they go. */
export interface BenchCall {
  method: string;
  url: string;
  token: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: object | undefined;
}

const timeoutMs = 120_000;

/** Makes a call, `tries` times at most on 429 and 503, and returns its `data`, whose type the caller states; throws for every other response. */
export async function requestBenchData<Data>(call: BenchCall, tries = 1): Promise<Data> {
  return (await requestData(`${call.method} ${call.url}`, call, { tries, answerWithinMs: timeoutMs, deadlineMs: timeoutMs })) as Data;
}
