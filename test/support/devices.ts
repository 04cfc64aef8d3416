import type { AppName } from '../../db/repositories/devices/seats';
import { issueCode } from '../../domain/signIn/issueCode';
import { transact } from '../../domain/transact';
import { systemCaller, type ApiResponse, type TestApi, type TestInstitution } from './api';

/** Somebody who can sign in. */
export interface Person {
  id: string;
  login_email: string;
  license: { id: string };
}

/** An app that is signed in on a device. */
export interface SignedInApp {
  person: Person;
  session: string;
}

/** What an app sends of the device of this name. */
export const deviceNamed = (name: string, over: object = {}): object => ({ id: `device-${name}`, name: `${name}'s laptop`, platform: 'macos', app_version: '2.4.1', ...over });

/** A new student, whose codes have a mailbox to go to. */
export async function newStudent(api: TestApi, { apiKey }: TestInstitution): Promise<Person> {
  const mailbox = `${Math.random().toString(36).slice(2)}@mail.example`;
  return (await api.call('POST', '/students', { key: apiKey, body: { personal_email: mailbox } })).data;
}

/** A code of an account, as its email would contain it; earlier codes do not count against the limit. */
export async function codeFor({ api }: TestApi, { id: institutionId }: TestInstitution, { id }: Pick<Person, 'id'>): Promise<string> {
  await api.domain.database.sql("UPDATE sign_in_codes SET created_at = created_at - interval '2 hours' WHERE user_id = $1", [id]);
  const issued = await transact(api.domain, systemCaller(institutionId), (tx) => issueCode(tx, id, undefined));
  if (issued === undefined) throw new Error('No code is due');
  return issued.code;
}

/** Signs in with a new code and the other fields of the body. */
export async function signInWith(api: TestApi, institution: TestInstitution, person: Person, body: object): Promise<ApiResponse> {
  const code = await codeFor(api, institution, person);
  return api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: person.login_email, code, ...body } });
}

/** Signs in to an app on the device of this name. */
export async function signInOn(api: TestApi, institution: TestInstitution, person: Person, app: AppName, device: string, over: object = {}): Promise<SignedInApp> {
  const { status, data, body } = await signInWith(api, institution, person, { app, device: deviceNamed(device, over) });
  if (status !== 200) throw new Error(`No session: ${status} ${JSON.stringify(body)}`);
  return { person, session: data.session };
}

/** The response to a heartbeat of this app. */
export const sendHeartbeat = async (api: TestApi, { session }: SignedInApp, body: object = {}): Promise<ApiResponse['data']> =>
  (await api.platform('POST', '/app/heartbeat', { key: session, body })).data;

/** The devices of a person's license. */
export const devicesOf = async (api: TestApi, { apiKey }: TestInstitution, { license }: Person, query: Record<string, number> = {}): Promise<ApiResponse['data']> =>
  (await api.call('GET', `/licenses/${license.id}/devices`, { key: apiKey, query })).data;

/** The names of the devices with a seat in an app, the newest sign-in first. */
export async function seatedDevices(api: TestApi, institution: TestInstitution, person: Person, app: AppName): Promise<string[]> {
  const { seats } = await devicesOf(api, institution, person);
  return seats.filter((seat: { app: string }) => seat.app === app).map(({ device_id }: { device_id: string }) => device_id.replace('device-', ''));
}
