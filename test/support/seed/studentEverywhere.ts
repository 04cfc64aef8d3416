import { newId } from '../../../domain/ids';
import { issueCode } from '../../../domain/signIn/issueCode';
import { transact } from '../../../domain/transact';
import { realActors } from '../actors';
import { systemCaller, type ApiResponse } from '../api';
import { codeFor, deviceNamed, type Person } from '../devices';
import type { ErasureFixture } from '../erasureFixture';
import { eventually } from '../eventually';
import { seedAttemptFile } from './files';
import { requestCode } from '../signInCodes';
import { multipart, multipartType } from '../uploads';

const unique = (what: string): string => `${what}-${newId('req').slice(4)}`;
const name = (what: string): string => `${what} ${newId('req').slice(4)}`;
const mailbox = (what: string): string => `${unique(what)}@mail.example`;

/** Returns texts of one student, each of which is nowhere else. */
export const newTexts = () => ({
  formerName: name('Former'), name: name('Quillonia'), formerSisId: unique('sis-before'), sisId: unique('sis'),
  claimed: mailbox('claimed'), mapped: mailbox('mapped'), wanted: mailbox('wanted'),
  mother: name('Mother'), mothersMailbox: mailbox('mother'), father: name('Father'), fathersMailbox: mailbox('father'),
  device: unique('device'), reason: unique('reason'), note: unique('note'),
  detail: unique('detail'), filename: unique('filename'), attachment: unique('attachment'), recording: unique('recording'), unfinished: unique('unfinished'),
  essay: unique('essay'), usage: unique('usage'), feedback: unique('feedback'), voidReason: unique('void'), revokeReason: unique('revoke'), echo: unique('echo'),
});
export type StudentTexts = ReturnType<typeof newTexts>;

/** A student of whom something is in every store. */
export interface SeededStudent {
  student: Person;
  texts: StudentTexts;
  /** All texts, and the login email, the enrolment code and the address of the client. */
  values: string[];
}

/** What these students share. */
export interface SharedSchool {
  curriculum: string;
  group: string;
  /** Two exams of the group: the submission to the first is graded, the one to the second voided. */
  exams: readonly [graded: string, voided: string];
}

const required = (what: string) => (response: ApiResponse): ApiResponse['data'] => {
  if (response.status !== 200) throw new Error(`${what}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.data;
};

/** Puts something of a student, who is created already, into every store, as their institution, they themselves and their guardians do. */
export async function seedEverywhere(fixture: ErasureFixture, school: SharedSchool, id: string, own: StudentTexts, client: string): Promise<SeededStudent> {
  const { api, institution, call } = fixture;
  const actors = realActors(api, institution);
  const withKey = async (method: string, path: string, body: object) =>
    required(`${method} ${path}`)(await api.call(method, path, { key: institution.apiKey, body, headers: { 'idempotency-key': newId('req') } }));
  const anybody = (path: string, body: object, key?: string) => api.platform('POST', path, { key, body, headers: { 'x-forwarded-for': client } });

  // The account: an enrolment code, a mailbox of the student's choice, a wrong code, a device, another mailbox, one that is not confirmed.
  const enrolment = await withKey('POST', `/students/${id}/enrolment-code`, {});
  const student: Person = required('the student')(await call('GET', `/students/${id}`));
  const issued = await transact(api.api.domain, systemCaller(institution.id), (tx) => issueCode(tx, id, own.claimed, { clientAddress: client }));
  await anybody('/sign-in/sessions', { login_email: student.login_email, code: issued?.code === '000000' ? '000001' : '000000' });
  const { session } = required('the session')(await anybody('/sign-in/sessions', { login_email: student.login_email, code: issued?.code, app: 'svcapp', device: deviceNamed(own.device) }));
  required('the mailbox')(await anybody('/me/mailbox', { email: own.wanted }, session));
  await withKey('PATCH', `/students/${student.login_email}`, { full_name: own.name, student_id: own.sisId, personal_email: own.mapped });
  // The PATCH has ended the sessions.
  const { session: newSession } = required('the session')(await anybody('/sign-in/sessions', {
    login_email: student.login_email, code: await codeFor(api, institution, student), app: 'svcapp', device: deviceNamed(own.device),
  }));
  required('the mailbox')(await anybody('/me/mailbox', { email: own.wanted }, newSession));
  await requestCode(api, student.login_email);

  // Guardians: the mother is verified, no email reaches the father.
  const guardian = { student_id: id, guardian_type: 'mother', is_primary: true };
  const invited = await withKey('POST', '/guardians', { ...guardian, guardian_email: own.mothersMailbox, guardian_name: own.mother });
  required('the invitation')(await actors.acceptInvitation(invited));
  required('the guardian')(await actors.signInGuardian({ ...invited, guardian_email: own.mothersMailbox }));
  await withKey('POST', '/guardians', { student_id: id, guardian_type: 'father', guardian_email: own.fathersMailbox, guardian_name: own.father });

  await withKey('POST', '/merits/credits', { email: student.login_email, amount_cents: 500, reason: own.reason, ref: newId('req') });
  required('the enrollment')(await call('POST', '/alpha/enrollments', { curriculum_id: school.curriculum, student_ids: [id] }));
  await withKey('POST', `/alpha/students/${id}/points`, { points: 25, note: own.note, ref: newId('req') });

  // Reads, of one and of many, by login email and by the institution's own identifier.
  for (const path of [`/students/${student.login_email}`, `/students?student_id=${own.sisId}`, `/students?email=${student.login_email}`]) required('the read')(await call('GET', path));

  // Exams: one graded, one voided, one under way.
  const inApp = (path: string, body: object) => api.platform('POST', `/app${path}`, { key: newSession, body });
  const begun = async (examId: string): Promise<string> => required('the attempt')(await api.platform('POST', `/app/exams/${examId}/attempts`, { key: newSession })).id;
  const record = async (attempt: string) => required('the events')(await inApp(`/attempts/${attempt}/events`, { events: [
    { id: newId('req'), type: 'focus_lost', at: new Date().toISOString(), detail: { window: own.detail } },
    { id: newId('req'), type: 'focus_gained', at: new Date().toISOString(), detail: { away_seconds: 3, window: own.detail } },
  ] }));
  const uploaded = async (attempt: string, kind: string, filename: string, type: string, bytes: string): Promise<string> => {
    const body = multipart({ name: 'kind', bytes: kind }, { name: 'file', filename, type, bytes });
    const response = await fetch(`${api.platformUrl}/app/attempts/${attempt}/files`, { method: 'POST', headers: { authorization: `Bearer ${newSession}`, 'content-type': multipartType }, body: new Uint8Array(body) });
    if (response.status !== 200) throw new Error(`The upload was answered ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text()).data.ref;
  };
  // Published now that there are mailboxes, to which its announcement waits.
  const announced = await fixture.createExam({ group_ids: [school.group], time_limit_minutes: 60 });
  const archived = async (studentId: string): Promise<void> => {
    required('the export')(await call('POST', `/students/${studentId}/export`));
    await eventually('the archive', async () => (await call('GET', `/students/${studentId}/export`)).data.status === 'ready');
  };
  const [graded, voided, running] = [await begun(school.exams[0]), await begun(school.exams[1]), await begun(announced.id)];
  const file = await uploaded(graded, 'attachment', `${own.filename}.pdf`, 'application/pdf', own.attachment);
  for (const attempt of [graded, running]) {
    await record(attempt);
    await uploaded(attempt, 'recording', `${own.filename}.webm`, 'video/webm', own.recording);
  }
  await seedAttemptFile(api, institution, running, { status: 'storing', filename: `${own.filename}.part`, bytes: Buffer.from(own.unfinished) });
  const work = { text: own.essay, ai_usage_data: { total_interactions: 1, models_used: [own.usage] } };
  const first = required('the submission')(await inApp(`/attempts/${graded}/submit`, { ...work, attachments: [{ name: `${own.filename}.pdf`, file: { id: file } }] }));
  const second = required('the submission')(await inApp(`/attempts/${voided}/submit`, work));
  await withKey('POST', `/submissions/${first.id}/grade`, { score: 80, feedback: own.feedback });
  await withKey('POST', `/submissions/${second.id}/void`, { reason: own.voidReason });
  await archived(id);
  await withKey('POST', `/licenses/${student.license.id}/revoke`, { reason: own.revokeReason });
  return { student, texts: own, values: [...Object.values(own), student.login_email, enrolment.code, client] };
}
