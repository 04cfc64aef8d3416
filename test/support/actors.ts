import type { Transaction } from '../../domain/context';
import { invitationToken } from '../../domain/guardians/invitation';
import { expireDueLicenses } from '../../domain/licenses/expireDueLicenses';
import { issueCode } from '../../domain/signIn/issueCode';
import { transact } from '../../domain/transact';
import { systemCaller, type ApiResponse, type TestApi, type TestInstitution } from './api';
import type { Person } from './devices';
import { multipart, multipartType } from './uploads';

/** A guardian link, and the address of its invitation. */
export interface InvitedLink {
  id: string;
  guardian_email: string;
}

/** What apps, guardians, admins and the platform do, each in the way of one kind of caller; each returns the response. */
export interface Actors {
  signIn(student: Person, body?: { personal_email?: string; app?: string; device?: object }): Promise<ApiResponse>;
  startAttempt(student: Person, examId: string): Promise<ApiResponse>;
  recordEvents(student: Person, attemptId: string, events: readonly object[]): Promise<ApiResponse>;
  upload(student: Person, attemptId: string, kind: 'attachment' | 'recording'): Promise<ApiResponse>;
  submit(student: Person, attemptId: string, body: object): Promise<ApiResponse>;
  publishCurriculum(curriculum: object): Promise<ApiResponse>;
  reportProgress(student: Person, report: object): Promise<ApiResponse>;
  acceptInvitation(link: InvitedLink): Promise<ApiResponse>;
  signInGuardian(link: InvitedLink): Promise<ApiResponse>;
  decideBatch(batchId: string, verb: 'approve' | 'reject', body?: object): Promise<ApiResponse>;
  redeem(student: Person, code: string): Promise<ApiResponse>;
  /** Lets the term of a license end. */
  expireLicense(licenseId: string): Promise<unknown>;
}

const file = (kind: string): { body: string; headers: Record<string, string> } => ({
  body: multipart({ name: 'kind', bytes: kind }, { name: 'file', filename: 'essay.pdf', type: 'application/pdf', bytes: 'an essay' }).toString(),
  headers: { 'content-type': multipartType },
});

/** The callers that do it in the field: sessions of students and guardians, the admin of the institution, and the platform. */
export function realActors(api: TestApi, institution: TestInstitution): Actors {
  const { domain } = api.api;
  const sessions = new Map<string, string>();
  const inTransaction = <Result>(work: (tx: Transaction) => Promise<Result>, now = new Date()): Promise<Result> => transact(domain, systemCaller(institution.id, now), work);
  const openSession = async (userId: string, login_email: string, { personal_email, ...body }: { personal_email?: string } = {}): Promise<ApiResponse> => {
    const issued = await inTransaction((tx) => issueCode(tx, userId, personal_email));
    const response = await api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email, code: issued?.code ?? '000000', institution_id: institution.id, ...body } });
    if (response.status === 200) sessions.set(userId, response.data.session);
    return response;
  };
  const inApp = (student: Person, path: string, sent: object): Promise<ApiResponse> => api.platform('POST', `/app${path}`, { key: sessions.get(student.id) ?? '', ...sent });
  const headers = { 'x-actor': institution.adminId };
  return {
    signIn: ({ id, login_email }, body) => openSession(id, login_email, body),
    startAttempt: (student, examId) => inApp(student, `/exams/${examId}/attempts`, {}),
    recordEvents: (student, attemptId, events) => inApp(student, `/attempts/${attemptId}/events`, { body: { events } }),
    upload: (student, attemptId, kind) => inApp(student, `/attempts/${attemptId}/files`, file(kind)),
    submit: (student, attemptId, body) => inApp(student, `/attempts/${attemptId}/submit`, { body }),
    publishCurriculum: async (body) => {
      const { data } = await api.platform('POST', '/alpha/curricula', { headers, body });
      return api.platform('POST', `/alpha/curricula/${data.id}/publish`, { headers });
    },
    reportProgress: (student, body) => inApp(student, '/alpha/progress', { body }),
    acceptInvitation: async ({ id }) => {
      const [link] = await domain.database.sql<{ invitation: number }>('SELECT invitation FROM guardian_links WHERE id = $1', [id]);
      const token = invitationToken(domain.secrets, { linkId: id, invitation: link?.invitation ?? 0 });
      return api.platform('POST', '/guardian-invitations/accept', { key: undefined, body: { token } });
    },
    signInGuardian: async ({ id, guardian_email }) => {
      const [link] = await domain.database.sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [id]);
      return openSession(link?.guardian_id ?? '', guardian_email);
    },
    decideBatch: (batchId, verb, body = {}) => api.platform('POST', `/institutions/${institution.id}/coupon-batches/${batchId}/${verb}`, { body }),
    redeem: (student, code) => inApp(student, '/wallet/redeem', { body: { code } }),
    expireLicense: async (licenseId) => {
      const [license] = await domain.database.sql<{ expires_at: Date | null }>('SELECT expires_at FROM licenses WHERE id = $1', [licenseId]);
      return inTransaction(expireDueLicenses, license?.expires_at ?? new Date());
    },
  };
}

/** A test key, which does the same in its sandbox. */
export function sandboxActors(api: TestApi, { apiKey }: TestInstitution): Actors {
  const post = (path: string, body: object = {}): Promise<ApiResponse> => api.call('POST', `/sandbox${path}`, { key: apiKey, body });
  const emptyPost = (path: string): Promise<ApiResponse> => api.call('POST', `/sandbox${path}`, { key: apiKey });
  return {
    signIn: ({ id }, body) => post(`/students/${id}/sign-in`, body),
    startAttempt: ({ id }, examId) => post(`/exams/${examId}/attempts`, { student_id: id }),
    recordEvents: (_student, attemptId, events) => post(`/attempts/${attemptId}/events`, { events }),
    upload: (_student, attemptId, kind) => api.call('POST', `/sandbox/attempts/${attemptId}/files`, { key: apiKey, ...file(kind) }),
    submit: (_student, attemptId, body) => post(`/attempts/${attemptId}/submit`, body),
    publishCurriculum: (body) => post('/alpha/curricula', body),
    reportProgress: ({ id }, body) => post(`/alpha/students/${id}/progress`, body),
    acceptInvitation: ({ id }) => emptyPost(`/guardians/${id}/accept`),
    signInGuardian: ({ id }) => emptyPost(`/guardians/${id}/sign-in`),
    decideBatch: (batchId, verb, body) => post(`/coupons/batches/${batchId}/${verb}`, body),
    redeem: ({ id }, code) => post('/coupons/redeem', { student_id: id, code }),
    expireLicense: (licenseId) => emptyPost(`/licenses/${licenseId}/expire`),
  };
}
