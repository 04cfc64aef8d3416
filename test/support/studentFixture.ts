import { randomBytes } from 'node:crypto';
import type { ApiResponse, RequestOptions, TestApi, TestInstitution } from './api';
import { eventsOf } from './events';
import { apiForAllTests, institutionForEachTest } from './sharedApi';

/** An API for tests of students: every answer is kept, so that planted personal emails can be looked for in all of them. */
export interface StudentFixture {
  api: TestApi;
  institution: TestInstitution;
  call: TestApi['call'];
  /** Calls with the key of north. */
  calls: StudentCalls;
  callsOf(institution: TestInstitution): StudentCalls;
  /** A personal email that is nowhere else; it must come back in no answer and no event. */
  newSecretEmail(): string;
  /** Answers and events so far in which a planted personal email stands, in whatever case. */
  leaks(): Promise<string[]>;
}

/** Calls with the key of one institution. */
export interface StudentCalls {
  list(query?: NonNullable<RequestOptions['query']>): Promise<ApiResponse>;
  create(body?: object): Promise<ApiResponse>;
  get(reference: string): Promise<ApiResponse>;
  patch(reference: string, body: object): Promise<ApiResponse>;
  suspend(reference: string): Promise<ApiResponse>;
  reactivate(reference: string): Promise<ApiResponse>;
}

/** Starts an API for the tests of the file that calls it, and has each of them begin with an institution of its own. */
export function studentFixtureForEachTest(): StudentFixture {
  const api = apiForAllTests();
  const institution = institutionForEachTest(api);
  const answers: string[] = [];
  const secretEmails: string[] = [];
  const institutions = new Set<string>();
  const call: TestApi['call'] = async (method, path, sent) => {
    const answer = await api.call(method, path, sent);
    answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]));
    return answer;
  };
  const leaks = async (): Promise<string[]> => {
    const events = await Promise.all([...institutions].map((id) => eventsOf(api, { id })));
    const said = [...answers, ...events.flat().map((event) => JSON.stringify(event))].map((text) => [text, text.toLowerCase()] as const);
    return said.filter(([, lower]) => secretEmails.some((email) => lower.includes(email.split('@')[0] ?? email))).map(([text]) => text);
  };
  const callsOf: StudentFixture['callsOf'] = (institution) => {
    const asked = (method: string, path: string, sent: RequestOptions = {}): Promise<ApiResponse> => {
      institutions.add(institution.id);
      return call(method, `/students${path}`, { key: institution.apiKey, ...sent });
    };
    const of = (reference: string): string => `/${encodeURIComponent(reference)}`;
    return {
      list: (query = {}) => asked('GET', '', { query }),
      create: (body = {}) => asked('POST', '', { body }),
      get: (reference) => asked('GET', of(reference)),
      patch: (reference, body) => asked('PATCH', of(reference), { body }),
      suspend: (reference) => asked('POST', `${of(reference)}/suspend`),
      reactivate: (reference) => asked('POST', `${of(reference)}/reactivate`),
    };
  };

  beforeEach(() => {
    institutions.add(institution.id);
  });

  return {
    api,
    institution,
    call,
    calls: callsOf(institution),
    callsOf,
    newSecretEmail: () => {
      const email = `planted.${randomBytes(6).toString('hex')}@private.example.org`;
      secretEmails.push(email);
      return email;
    },
    leaks,
  };
}
