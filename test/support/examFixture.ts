import type { Settings } from '../../config/settings';
import { newId } from '../../domain/ids';
import type { Answer, Sent, TestApi, TestInstitution } from './api';
import { plantStudents } from './manyStudents';
import { apiOfAllTests, institutionOfAllTests, institutionOfEachTest } from './sharedApi';

/** What tests of exams read of an answer; the answer itself was checked against its schema. */
export type ExamAnswer = Answer['data'];

/** Whether a body creates an exam with hidden tests that is to be published. */
function needsSecret(body: object): boolean {
  if ('publish' in body && body.publish === false) return false;
  const spec: unknown = 'code_spec' in body ? body.code_spec : null;
  return typeof spec === 'object' && spec !== null && 'hidden_tests' in spec && spec.hidden_tests !== null;
}

/** A test API, and on it an institution of the test or of the file, with short ways to its groups and exams. */
export interface Desk {
  readonly api: TestApi;
  readonly north: TestInstitution;
  /** A call with the key of this institution, or of another one. */
  call(method: string, path: string, body?: object, institution?: TestInstitution): Promise<Answer>;
  /** The exams, as `GET /exams` lists them. */
  list(query?: NonNullable<Sent['query']>, path?: string): Promise<Answer>;
  /** Creates an exam of the admin and answers it; one with hidden tests gets a key before it is published. */
  exam(body?: object): Promise<ExamAnswer>;
  /** Creates an exam and brings it to a state. */
  examIn(status: 'draft' | 'published' | 'closed', body?: object): Promise<ExamAnswer>;
  /** The exam as it stands now. */
  read(id: string): Promise<ExamAnswer>;
  /** Creates a group with these students; answers its id. */
  group(student_ids?: readonly string[], name?: string): Promise<string>;
  /** So many students; answers their ids. */
  students(count: number): Promise<string[]>;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Starts an API for the tests of the file that calls it, and has each of them begin with an institution of its own. */
export const deskOfEachTest = (overrides?: () => Partial<Settings>): Desk => deskFrom(institutionOfEachTest, overrides);

/** The same with one institution for all tests of the file: where many of them look at the same people. */
export const deskOfAllTests = (): Desk => deskFrom(institutionOfAllTests);

function deskFrom(institutionOn: (api: TestApi) => TestInstitution, overrides?: () => Partial<Settings>): Desk {
  const api = apiOfAllTests(overrides);
  const north = institutionOn(api);

  const call: Desk['call'] = (method, path, body, { apiKey } = north) => api.call(method, path, { key: apiKey, body });
  const done = async (method: string, path: string, body?: object): Promise<ExamAnswer> => {
    const { status, data, body: answer } = await call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return data;
  };
  const create = (body: object) => done('POST', '/exams', { faculty_id: north.adminId, title: 'Algebra', ...body });
  const exam = async (body: object = {}): Promise<ExamAnswer> => {
    if (!needsSecret(body)) return create(body);
    const { id } = await create({ ...body, publish: false });
    await done('PUT', `/exams/${id}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 7).toString('base64') });
    return done('POST', `/exams/${id}/publish`);
  };
  return {
    api,
    north,
    call,
    list: (query = {}, path = '/exams') => api.call('GET', path, { key: north.apiKey, query }),
    exam,
    examIn: async (status, body) => {
      const created = await exam({ ...body, publish: status !== 'draft' });
      return status === 'closed' ? done('POST', `/exams/${created.id}/close`) : created;
    },
    read: (id) => done('GET', `/exams/${id}`),
    group: async (student_ids = [], name = 'Class') => (await done('POST', '/groups', { name, student_ids })).id,
    students: (count) => plantStudents(api, north, count, newId('stu').slice(-8)),
    sql: (text, values = []) => api.api.domain.database.sql(text, values),
  };
}
