import type { Settings } from '../../config/settings';
import { newId } from '../../domain/ids';
import type { ApiResponse, RequestOptions, TestApi, TestInstitution } from './api';
import { seedStudents } from './seed/students';
import { apiForAllTests, institutionForAllTests, institutionForEachTest } from './sharedApi';

/** What tests of exams read of an answer; the answer itself was checked against its schema. */
export type ExamData = ApiResponse['data'];

/** Whether a body creates an exam with hidden tests that is to be published. */
function needsSecret(body: object): boolean {
  if ('publish' in body && body.publish === false) return false;
  const spec: unknown = 'code_spec' in body ? body.code_spec : null;
  return typeof spec === 'object' && spec !== null && 'hidden_tests' in spec && spec.hidden_tests !== null;
}

/** A test API, and on it an institution of the test or of the file, with short ways to its groups and exams. */
export interface ExamFixture {
  readonly api: TestApi;
  readonly institution: TestInstitution;
  /** A call with the key of this institution, or of another one. */
  call(method: string, path: string, body?: object, institution?: TestInstitution): Promise<ApiResponse>;
  /** The exams, as `GET /exams` lists them. */
  list(query?: NonNullable<RequestOptions['query']>, path?: string): Promise<ApiResponse>;
  /** Creates an exam of the admin and answers it; one with hidden tests gets a key before it is published. */
  exam(body?: object): Promise<ExamData>;
  /** Creates an exam and brings it to a state. */
  examWithStatus(status: 'draft' | 'published' | 'closed', body?: object): Promise<ExamData>;
  /** The exam as it stands now. */
  read(id: string): Promise<ExamData>;
  /** Creates a group with these students; answers its id. */
  group(student_ids?: readonly string[], name?: string): Promise<string>;
  /** So many students; answers their ids. */
  students(count: number): Promise<string[]>;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Starts an API for the tests of the file that calls it, and has each of them begin with an institution of its own. */
export const examFixtureForEachTest = (overrides?: () => Partial<Settings>): ExamFixture => createExamFixture(institutionForEachTest, overrides);

/** The same with one institution for all tests of the file: where many of them look at the same people. */
export const examFixtureForAllTests = (): ExamFixture => createExamFixture(institutionForAllTests);

function createExamFixture(institutionOn: (api: TestApi) => TestInstitution, overrides?: () => Partial<Settings>): ExamFixture {
  const api = apiForAllTests(overrides);
  const institution = institutionOn(api);

  const call: ExamFixture['call'] = (method, path, body, { apiKey } = institution) => api.call(method, path, { key: apiKey, body });
  const callSuccessfully = async (method: string, path: string, body?: object): Promise<ExamData> => {
    const { status, data, body: answer } = await call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return data;
  };
  const create = (body: object) => callSuccessfully('POST', '/exams', { faculty_id: institution.adminId, title: 'Algebra', ...body });
  const exam = async (body: object = {}): Promise<ExamData> => {
    if (!needsSecret(body)) return create(body);
    const { id } = await create({ ...body, publish: false });
    await callSuccessfully('PUT', `/exams/${id}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 7).toString('base64') });
    return callSuccessfully('POST', `/exams/${id}/publish`);
  };
  return {
    api,
    institution,
    call,
    list: (query = {}, path = '/exams') => api.call('GET', path, { key: institution.apiKey, query }),
    exam,
    examWithStatus: async (status, body) => {
      const created = await exam({ ...body, publish: status !== 'draft' });
      return status === 'closed' ? callSuccessfully('POST', `/exams/${created.id}/close`) : created;
    },
    read: (id) => callSuccessfully('GET', `/exams/${id}`),
    group: async (student_ids = [], name = 'Class') => (await callSuccessfully('POST', '/groups', { name, student_ids })).id,
    students: (count) => seedStudents(api, institution, count, newId('stu').slice(-8)),
    sql: (text, values = []) => api.api.domain.database.sql(text, values),
  };
}
