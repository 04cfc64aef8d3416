import { randomBytes } from 'node:crypto';
import type { ApiResponse, RequestOptions, TestApi, TestInstitution } from './api';
import type { ApiFixture } from './apiFixture';
import { eventsOf } from './events';

/** Calls about students whose responses are all kept, to be searched for personal emails that must not be in them. */
export interface RecordedStudentCalls {
  call: TestApi['call'];
  /** Calls with the key of the fixture's institution. */
  calls: StudentCalls;
  callsOf(institution: TestInstitution): StudentCalls;
  /** A new personal email; it must be in no response and no event. */
  newSecretEmail(): string;
  /** The responses and events so far that contain such a personal email, in any case. */
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

/** Calls about students of the fixture's institution, recorded for the whole file. */
export function recordedStudentCalls({ api, institution }: ApiFixture): RecordedStudentCalls {
  const responses: string[] = [];
  const secretEmails: string[] = [];
  const institutionIds = new Set<string>();
  const call: TestApi['call'] = async (method, path, sent) => {
    institutionIds.add(institution.id);
    const response = await api.call(method, path, sent);
    responses.push(JSON.stringify([response.status, response.body, [...response.headers]]));
    return response;
  };
  const leaks = async (): Promise<string[]> => {
    const events = await Promise.all([...institutionIds].map((id) => eventsOf(api, { id })));
    const recorded = [...responses, ...events.flat().map((event) => JSON.stringify(event))].map((text) => [text, text.toLowerCase()] as const);
    return recorded.filter(([, lower]) => secretEmails.some((email) => lower.includes(email.split('@')[0] ?? email))).map(([text]) => text);
  };
  const callsOf: RecordedStudentCalls['callsOf'] = (caller) => {
    const request = (method: string, path: string, sent: RequestOptions = {}): Promise<ApiResponse> => {
      institutionIds.add(caller.id);
      return call(method, `/students${path}`, { key: caller.apiKey, ...sent });
    };
    const of = (reference: string): string => `/${encodeURIComponent(reference)}`;
    return {
      list: (query = {}) => request('GET', '', { query }),
      create: (body = {}) => request('POST', '', { body }),
      get: (reference) => request('GET', of(reference)),
      patch: (reference, body) => request('PATCH', of(reference), { body }),
      suspend: (reference) => request('POST', `${of(reference)}/suspend`),
      reactivate: (reference) => request('POST', `${of(reference)}/reactivate`),
    };
  };

  return {
    call,
    calls: callsOf(institution),
    callsOf,
    newSecretEmail: () => {
      const email = `secret.${randomBytes(6).toString('hex')}@private.example.org`;
      secretEmails.push(email);
      return email;
    },
    leaks,
  };
}
