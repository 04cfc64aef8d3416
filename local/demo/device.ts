import { randomUUID } from 'node:crypto';
import Joi, { type ObjectSchema } from 'joi';
import type { InstitutionClient } from '../../clients/typescript/src';
import { requestData } from '../../clients/typescript/src/request';
import { openMailbox, waitForEmails } from './emails';
import type { DemoStudent } from './people';
import type { RunningStack } from './stack';
import { expectThat, log } from './log';

const mailedWithinMs = 30_000;
const callTimeoutMs = 60_000;
const appVersion = '2.5.0';

type Apps = Pick<RunningStack, 'apps_url' | 'mail_dir'>;

const acceptedSchema = Joi.object<{ accepted: boolean }>({ accepted: Joi.boolean().required() }).unknown();
const sessionSchema = Joi.object<{ session: string }>({ session: Joi.string().required() }).unknown();
const heartbeatSchema = Joi.object<{ signed_out: boolean }>({ signed_out: Joi.boolean().required() }).unknown();

/** Calls the apps' listener as an app does, and returns its `data` as the schema has it. */
async function callAsApp<Data>({ apps_url: url }: Apps, path: string, body: object, data: ObjectSchema<Data>, session?: string): Promise<Data> {
  const request = { method: 'POST', url: url + path, token: session, body };
  const result = data.validate(await requestData(`POST ${path}`, request, { tries: 1, answerWithinMs: callTimeoutMs, deadlineMs: callTimeoutMs }));
  if (result.error !== undefined) throw new Error(`POST ${path}: ${result.error.message}`);
  return result.value;
}

/** Asks for a sign-in code as a student, and returns it from the email. */
async function requestMailedCode(apps: Apps, { loginEmail, personalEmail }: DemoStudent): Promise<string> {
  await callAsApp(apps, '/sign-in/codes', { login_email: loginEmail }, acceptedSchema);
  const [email] = await waitForEmails(openMailbox(apps.mail_dir, 'code_', personalEmail), 1, mailedWithinMs);
  return /^ {4}(\d{6})\r?$/m.exec(email?.source ?? '')?.[1] ?? '';
}

/** Signs a student in on a device as an app does, sends one heartbeat, and reads the seat as the institution sees it. */
export async function signInOnDevice(client: InstitutionClient, apps: Apps, student: DemoStudent): Promise<void> {
  log('Signing a student in on a device');
  const code = await requestMailedCode(apps, student);
  const device = { id: randomUUID(), name: "Student's laptop", platform: 'linux', app_version: '2.4.1' };
  const { session } = await callAsApp(apps, '/sign-in/sessions', { login_email: student.loginEmail, code, app: 'svcapp', device }, sessionSchema);
  const { signed_out: isSignedOut } = await callAsApp(apps, '/app/heartbeat', { app_version: appVersion }, heartbeatSchema, session);
  expectThat(!isSignedOut, 'its heartbeat is answered');
  const { license } = await client.call('GET', '/students/{id}', { path: { id: student.loginEmail } });
  const { seats } = await client.call('GET', '/licenses/{id}/devices', { path: { id: license.id } });
  const seat = seats.find(({ device_id }) => device_id === device.id);
  expectThat(seat?.app_version === appVersion, `the license shows its seat in ${seat?.app ?? ''}, version ${appVersion}`);
}
