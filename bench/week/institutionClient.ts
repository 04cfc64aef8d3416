import { requestBenchData } from '../benchClient';
import type { BenchEnvironment } from '../environment';
import type { BenchDomain, BenchInstitution } from '../institutions';
import type { ExpectedCounts } from './expectedCounts';

/** The calls of one institution: its own, the platform's for it, and those of its people. Permanent errors are thrown. */
export interface InstitutionClient {
  readonly institution: BenchInstitution;
  readonly counts: ExpectedCounts;
  /** Creates the tokens of emails. */
  readonly secrets: BenchDomain['secrets'];
  key<Data>(method: string, path: string, body?: object): Promise<Data>;
  /** With the platform's token; `actor` is the portal user on whose behalf it is called. */
  platform<Data>(method: string, path: string, body?: object, actor?: string): Promise<Data>;
  /** With a session, or without credentials. */
  person<Data>(session: string | undefined, method: string, path: string, body?: object): Promise<Data>;
}

interface RequestOptions {
  token: string | undefined;
  actor?: string | undefined;
  body?: object | undefined;
}

const maxTries = 10;

/** Makes a call, and repeats it on 429 and 503, which the API returns before it has done anything. */
function request<Data>(url: string, method: string, { token, actor, body }: RequestOptions): Promise<Data> {
  return requestBenchData({ method, url, token, body, ...(actor === undefined ? {} : { headers: { 'x-actor': actor } }) }, maxTries);
}

/** Returns the client of an institution; writes with a key or the platform's token count as audit log entries. */
export function createInstitutionClient({ apiUrl, services, domain }: BenchEnvironment, institution: BenchInstitution, counts: ExpectedCounts): InstitutionClient {
  const platformUrl = `http://127.0.0.1:${services.PLATFORM_PORT ?? ''}/platform/v1`;
  const countAudited = async <Data>(method: string, result: Promise<Data>): Promise<Data> => {
    const data = await result;
    if (method !== 'GET') counts.add('calls in the audit log');
    return data;
  };
  return {
    institution,
    counts,
    secrets: domain.secrets,
    key: (method, path, body) => countAudited(method, request(apiUrl + path, method, { token: institution.keys[0], body })),
    platform: (method, path, body, actor) => countAudited(method, request(platformUrl + path, method, { token: services.PLATFORM_TOKEN, actor, body })),
    person: (session, method, path, body) => request(platformUrl + path, method, { token: session, body }),
  };
}
