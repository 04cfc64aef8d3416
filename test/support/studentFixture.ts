import { randomBytes } from 'node:crypto';
import type { Answer, Sent, TestApi, TestInstitution } from './api';
import { eventsOf } from './events';
import { apiOfAllTests, institutionOfEachTest } from './sharedApi';

/** An API for tests of students: every answer is kept, so that planted personal emails can be looked for in all of them. */
export interface StudentApi {
  api: TestApi;
  north: TestInstitution;
  call: TestApi['call'];
  /** Calls with the key of north. */
  calls: StudentCalls;
  as(institution: TestInstitution): StudentCalls;
  /** A personal email that is nowhere else; it must come back in no answer and no event. */
  plantedEmail(): string;
  /** Answers and events so far in which a planted personal email stands, in whatever case. */
  leaks(): Promise<string[]>;
}

/** Calls with the key of one institution. */
export interface StudentCalls {
  list(query?: NonNullable<Sent['query']>): Promise<Answer>;
  create(body?: object): Promise<Answer>;
  get(reference: string): Promise<Answer>;
  patch(reference: string, body: object): Promise<Answer>;
  suspend(reference: string): Promise<Answer>;
  reactivate(reference: string): Promise<Answer>;
}

/** Starts an API for the tests of the file that calls it, and has each of them begin with an institution of its own. */
export function studentsOfEachTest(): StudentApi {
  const api = apiOfAllTests();
  const north = institutionOfEachTest(api);
  const answers: string[] = [];
  const planted: string[] = [];
  const institutions = new Set<string>();
  const call: TestApi['call'] = async (method, path, sent) => {
    const answer = await api.call(method, path, sent);
    answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]));
    return answer;
  };
  const leaks = async (): Promise<string[]> => {
    const events = await Promise.all([...institutions].map((id) => eventsOf(api, { id })));
    const said = [...answers, ...events.flat().map((event) => JSON.stringify(event))].map((text) => [text, text.toLowerCase()] as const);
    return said.filter(([, lower]) => planted.some((email) => lower.includes(email.split('@')[0] ?? email))).map(([text]) => text);
  };
  const as: StudentApi['as'] = (institution) => {
    const asked = (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
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
    institutions.add(north.id);
  });

  return {
    api,
    north,
    call,
    calls: as(north),
    as,
    plantedEmail: () => {
      const email = `planted.${randomBytes(6).toString('hex')}@private.example.org`;
      planted.push(email);
      return email;
    },
    leaks,
  };
}
