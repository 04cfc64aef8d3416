import { randomBytes } from 'node:crypto';
import { startTestApi, type Answer, type Sent, type TestApi, type TestInstitution } from './api';
import { eventsOf } from './events';

/** An API for tests of students: every answer is kept, so that planted personal emails can be looked for in all of them. */
export interface StudentApi {
  api: TestApi;
  call: TestApi['call'];
  as(institution: TestInstitution): StudentCalls;
  /** A personal email that is nowhere else; it must come back in no answer and no event. */
  plantedEmail(): string;
  /** Answers and events so far in which a planted personal email stands, in whatever case. */
  leaks(): Promise<string[]>;
  stop(): Promise<void>;
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

/** Starts the API. Stop it in `afterAll`. */
export async function startStudentApi(): Promise<StudentApi> {
  const api = await startTestApi();
  const answers: string[] = [];
  const planted: string[] = [];
  const institutions = new Set<string>();
  const call: TestApi['call'] = async (method, path, sent) => {
    const answer = await api.call(method, path, sent);
    answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]));
    return answer;
  };
  return {
    api,
    call,
    as: ({ id, apiKey: key }) => {
      institutions.add(id);
      return {
        list: (query = {}) => call('GET', '/students', { key, query }),
        create: (body = {}) => call('POST', '/students', { key, body }),
        get: (reference) => call('GET', `/students/${encodeURIComponent(reference)}`, { key }),
        patch: (reference, body) => call('PATCH', `/students/${encodeURIComponent(reference)}`, { key, body }),
        suspend: (reference) => call('POST', `/students/${encodeURIComponent(reference)}/suspend`, { key }),
        reactivate: (reference) => call('POST', `/students/${encodeURIComponent(reference)}/reactivate`, { key }),
      };
    },
    plantedEmail: () => {
      const email = `planted.${randomBytes(6).toString('hex')}@private.example.org`;
      planted.push(email);
      return email;
    },
    leaks: async () => {
      const events = await Promise.all([...institutions].map((id) => eventsOf(api, { id })));
      const said = [...answers, ...events.flat().map((event) => JSON.stringify(event))].map((text) => [text, text.toLowerCase()] as const);
      return said.filter(([, lower]) => planted.some((email) => lower.includes(email.split('@')[0] ?? email))).map(([text]) => text);
    },
    stop: api.stop,
  };
}
