import { scopes } from '../../domain/scopes';
import { registerHashes } from './leaks';
import type { ApiResponse, TestApi, TestInstitution } from './api';

/** The sandbox of an institution, and a test key of every scope. */
export interface TestSandbox {
  id: string;
  key: string;
  call(method: string, path: string, body?: object): Promise<ApiResponse>;
  /** Moves its clock forward; returns what was answered. */
  advance(seconds: number): Promise<ApiResponse>;
  /** The time of its clock. */
  now(): Promise<Date>;
}

/** Creates a test key, and with it the sandbox. */
export async function openSandboxOf(api: TestApi, institution: TestInstitution): Promise<TestSandbox> {
  const body = { name: 'trial', scopes: scopes.map(({ scope }) => scope), environment: 'test', rate_limit_per_min: 6000 };
  const { status, data } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body, headers: { 'x-actor': institution.adminId } });
  if (status !== 200) throw new Error(`No test key: ${status}`);
  const key = String(data.api_key);
  registerHashes(key);
  const call: TestSandbox['call'] = (method, path, sent) => api.call(method, path, { key, body: sent });
  const { data: me } = await call('GET', '/me');
  return {
    id: String(me.institution.id),
    key,
    call,
    advance: (seconds) => call('POST', '/sandbox/clock', { advance_seconds: seconds }),
    now: async () => new Date((await call('GET', '/sandbox/clock')).data.now),
  };
}
