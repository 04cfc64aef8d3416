import { startApi, type RunningApi } from '../../api/start';
import { createLogger, type Logger } from '../../config/logger';
import type { Settings } from '../../config/settings';
import { newId } from '../../domain/ids';
import { startTestApi, type ApiResponse, type RequestOptions, type TestApi, type TestInstitution } from './api';
import { seedStudents } from './seed/students';

/** Fields of an exam that a test reads; the whole response was checked against its schema. */
export type ExamData = ApiResponse['data'];

/** When a fixture creates its institution: before each test, once before all tests of the file, or not at all. */
export type InstitutionPer = 'test' | 'file' | 'none';

export interface ApiFixtureOptions {
  /** `test` by default. */
  institutionPer?: InstitutionPer;
  /** Settings of the API that differ from the defaults of tests; read before the first test. */
  settings?: () => Partial<Settings>;
  /** Where the API logs; nowhere by default. */
  logger?: Logger;
}

/** A test API, and on it an institution with short ways to its students, groups and exams. */
export interface ApiFixture {
  readonly api: TestApi;
  readonly institution: TestInstitution;
  /** A call with the key of this institution, or of another one. */
  call(method: string, path: string, body?: object, institution?: TestInstitution): Promise<ApiResponse>;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Creates that many students; returns their ids. */
  createStudents(count: number): Promise<string[]>;
  /** Creates a group with these students; returns its id. */
  createGroup(student_ids?: readonly string[], name?: string): Promise<string>;
  /** Creates an exam of the admin; one with hidden tests gets a key before it is published. */
  createExam(body?: object): Promise<ExamData>;
  /** Creates an exam and brings it to a status. */
  createExamWithStatus(status: 'draft' | 'published' | 'closed', body?: object): Promise<ExamData>;
  readExam(id: string): Promise<ExamData>;
  /** Lists the exams. */
  listExams(query?: NonNullable<RequestOptions['query']>): Promise<ApiResponse>;
  /** Lists what is at another path. */
  listAt(path: string, query?: NonNullable<RequestOptions['query']>): Promise<ApiResponse>;
}

/** Starts an API for the tests of the calling file, with a new institution for each test unless `institutionPer` says otherwise. */
export function apiFixture({ institutionPer = 'test', settings = () => ({}), logger }: ApiFixtureOptions = {}): ApiFixture {
  const api = apiForAllTests(settings, logger);
  const institution = institutionFor(api, institutionPer);

  const call: ApiFixture['call'] = (method, path, body, { apiKey } = institution) => api.call(method, path, { key: apiKey, body });
  const listAt: ApiFixture['listAt'] = (path, query = {}) => api.call('GET', path, { key: institution.apiKey, query });
  const callSuccessfully = async (method: string, path: string, body?: object): Promise<ExamData> => {
    const response = await call(method, path, body);
    if (response.status !== 200) throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
    return response.data;
  };
  const postExam = (body: object) => callSuccessfully('POST', '/exams', { faculty_id: institution.adminId, title: 'Algebra', ...body });
  const createExam = async (body: object = {}): Promise<ExamData> => {
    if (!needsSecret(body)) return postExam(body);
    const { id } = await postExam({ ...body, publish: false });
    await callSuccessfully('PUT', `/exams/${id}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 7).toString('base64') });
    return callSuccessfully('POST', `/exams/${id}/publish`);
  };
  return {
    api,
    institution,
    call,
    sql: (text, values = []) => api.api.domain.database.sql(text, values),
    createStudents: (count) => seedStudents(api, institution, count, newId('stu').slice(-8)),
    createGroup: async (student_ids = [], name = 'Class') => (await callSuccessfully('POST', '/groups', { name, student_ids })).id,
    createExam,
    createExamWithStatus: async (status, body) => {
      const created = await createExam({ ...body, publish: status !== 'draft' });
      return status === 'closed' ? callSuccessfully('POST', `/exams/${created.id}/close`) : created;
    },
    readExam: (id) => callSuccessfully('GET', `/exams/${id}`),
    listExams: (query) => listAt('/exams', query),
    listAt,
  };
}

/** Whether a body creates an exam with hidden tests that is to be published. */
function needsSecret(body: object): boolean {
  if ('publish' in body && body.publish === false) return false;
  const spec: unknown = 'code_spec' in body ? body.code_spec : null;
  return typeof spec === 'object' && spec !== null && 'hidden_tests' in spec && spec.hidden_tests !== null;
}

/** An API fixture, and the port of a second process of the same service. */
export interface TwoApisFixture extends ApiFixture {
  readonly secondPort: number;
}

/** Like {@link apiFixture}, with a second process of the same service. */
export function twoApisFixture(options: ApiFixtureOptions = {}): TwoApisFixture {
  let second: RunningApi;

  // Hooks run in the order in which they are written: the second process stops before the stack that both use.
  afterAll(() => second.stop());

  const fixture = apiFixture(options);

  beforeAll(async () => {
    second = await startApi(fixture.api.settings, createLogger('api', 'silent'));
  });

  return {
    ...fixture,
    get secondPort() {
      return second.port;
    },
  };
}

/** Starts an API before the first test and stops it after the last; its properties are those of the API that runs. */
function apiForAllTests(settings: () => Partial<Settings>, logger: Logger | undefined): TestApi {
  let started: TestApi;

  beforeAll(async () => {
    started = await startTestApi(settings(), { logger });
  });

  afterAll(() => started.stop());

  return {
    get api() {
      return started.api;
    },
    get stack() {
      return started.stack;
    },
    get settings() {
      return started.settings;
    },
    get baseUrl() {
      return started.baseUrl;
    },
    get platformUrl() {
      return started.platformUrl;
    },
    get appsUrl() {
      return started.appsUrl;
    },
    get served() {
      return started.served;
    },
    call: (...asked) => started.call(...asked),
    platform: (...asked) => started.platform(...asked),
    apps: (...asked) => started.apps(...asked),
    institution: (granted) => started.institution(granted),
    keyFor: (...asked) => started.keyFor(...asked),
    sandboxOf: (...asked) => started.sandboxOf(...asked),
    stop: () => started.stop(),
  };
}

/** An institution whose properties are those of the one created last. */
export function institutionFor(api: TestApi, per: InstitutionPer): TestInstitution {
  let current: TestInstitution | undefined;
  const created = (): TestInstitution => {
    if (current === undefined) throw new Error('The fixture has no institution');
    return current;
  };

  const create = async (): Promise<void> => {
    current = await api.institution();
  };
  if (per === 'test') beforeEach(create);
  if (per === 'file') beforeAll(create);

  return {
    get id() {
      return created().id;
    },
    get adminId() {
      return created().adminId;
    },
    get adminLoginEmail() {
      return created().adminLoginEmail;
    },
    get loginDomain() {
      return created().loginDomain;
    },
    get apiKey() {
      return created().apiKey;
    },
    get keyId() {
      return created().keyId;
    },
    get caller() {
      return created().caller;
    },
  };
}
