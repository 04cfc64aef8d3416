import { issueCode } from '../../../domain/signIn/issueCode';
import { transact } from '../../../domain/transact';
import type { RunningWorker } from '../../../worker/start';
import type { ApiResponse } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { postStudentsBulk } from '../../support/batches';
import { openSandboxOf } from '../../support/sandboxes';
import { signInByMail } from '../../support/signInCodes';
import { startTestWorker } from '../../support/worker';

const { api, institution, call, sql } = apiFixture({ institutionPer: 'file' });
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startTestWorker(api.settings);
});

afterAll(() => worker.stop());

const issues = (path: string) => [{ path, message: `${path} must be the person's own address, not a login email` }];
const student = async (body: object = {}): Promise<{ id: string; login_email: string }> => (await call('POST', '/students', body)).data;
const teacher = async (): Promise<{ id: string; login_email: string }> => (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
/** What is stored of a student: a response would hold a login email that was sent as a personal one, which the tests take for a leak. */
const stored = async (id: string) => (await sql('SELECT full_name, status, personal_email_sealed IS NOT NULL AS mapped FROM users WHERE id = $1', [id]))[0];

/** The error and the issues of a refused call. */
const rejectionOf = (response: ApiResponse) => [response.status, response.body.error, response.body.issues];

describe('a login email, which has no mailbox, is nobody\'s personal email', () => {
  it('when a student is created, in any spelling, of a student or a teacher', async () => {
    for (const { login_email } of [await student(), await teacher()]) {
      for (const personal_email of [login_email, login_email.toUpperCase(), ` ${login_email}`]) {
        expect(rejectionOf(await call('POST', '/students', { personal_email }))).toEqual([422, 'validation_error', issues('personal_email')]);
      }
    }
  });

  it('when a student is changed, their own included; nothing of the change is kept', async () => {
    const [other, { id, login_email }] = [await student(), await student({ full_name: 'Ada' })];
    for (const personal_email of [other.login_email, login_email]) {
      expect(rejectionOf(await call('PATCH', `/students/${id}`, { full_name: 'Grace', personal_email }))).toEqual([422, 'validation_error', issues('personal_email')]);
    }
    expect(await stored(id)).toEqual({ full_name: 'Ada', status: 'pending', mapped: false });
  });

  it('in a bulk call: the item fails, and the others are created with numbers that have no gap', async () => {
    const { login_email } = await student();
    const { data } = await postStudentsBulk(api, institution, [{ full_name: 'Ada' }, { personal_email: login_email.toUpperCase() }, { full_name: 'Grace' }]);
    expect(data).toMatchObject({ created: 2, failed: 1 });
    expect(data.results[1]).toEqual({ index: 1, error: 'validation_error', message: issues('personal_email')[0]?.message, issues: issues('personal_email') });
    const [first, last] = [0, 2].map((nth) => Number(/^student(\d+)\./.exec(data.results[nth].login_email)?.[1]));
    expect(last).toBe(Number(first) + 1);
  });

  it('when a teacher completes the profile', async () => {
    const [{ login_email }, other] = [await teacher(), await student()];
    const { session } = (await signInByMail(api, login_email)).answer.data;
    const body = { employee_id: 'E-1', department: 'Mathematics', position: 'Lecturer', email: other.login_email };
    expect(rejectionOf(await api.platform('POST', '/me/profile', { key: session, body }))).toEqual([422, 'validation_error', issues('email')]);
  });

  it('when a student names where the first code goes: none is issued', async () => {
    const [{ id }, other] = [await student(), await student()];
    const codeTo = (email: string) => transact(api.api.domain, institution.caller, (tx) => issueCode(tx, id, email));
    expect(await codeTo(other.login_email)).toBeUndefined();
    expect(await codeTo('ada.first@mail.example')).toMatchObject({ to: 'ada.first@mail.example' });
  });

  it('when a student signs in to the sandbox', async () => {
    const sandbox = await openSandboxOf(api, institution);
    const { id, login_email } = (await sandbox.call('POST', '/students', {})).data;
    expect(rejectionOf(await sandbox.call('POST', `/sandbox/students/${id}/sign-in`, { personal_email: login_email }))).toEqual([422, 'validation_error', issues('personal_email')]);
    expect(await stored(id)).toEqual({ full_name: null, status: 'pending', mapped: false });
  });
});

it('another address of the login domain, and a login email of another institution, are addresses like any other', async () => {
  const elsewhere = await api.institution();
  const foreign = (await call('POST', '/students', {}, elsewhere)).data.login_email;
  for (const personal_email of [`ada.lovelace@${institution.loginDomain}`, foreign]) {
    const { id } = await student({ personal_email });
    expect(await stored(id)).toMatchObject({ mapped: true });
  }
});
