import { newStudentSchema } from '../../../../api/operations/students/students.schemas';
import { checkValue } from '../../../../api/http/request/validate';
import type { ApiResponse } from '../../../support/api';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const maxMs = 250;
const nearLimitBytes = 2 * 1024 * 1024 - 100;

const send = (method: string, path: string, body: string): Promise<ApiResponse> => api.call(method, path, { key: institution.apiKey, body });
const ones = (): string => '1,'.repeat(nearLimitBytes / 2 - 30) + '1';
const nest = (levels: number, within: string, name: string): string => `{"${name}":`.repeat(levels) + within + '}'.repeat(levels);
const protos = (): string => nest(1_000, `[${Array.from({ length: 60_000 }, () => '{"__proto__":1}').join()}]`, 'k'.repeat(700));
const unknown = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"u${index}":1`).join()}}`;

describe('a body as bad as 2 MiB can be is refused in no time', () => {
  const bad: [string, string, string, () => string][] = [
    ['a million toolchains', 'PUT', '/institution/config', () => `{"allowed_toolchains":[${ones()}]}`],
    ['a million events', 'POST', '/webhooks/endpoints', () => `{"url":"https://hooks.example.org/","events":[${ones()}]}`],
    ['a million students', 'POST', '/students/bulk', () => `{"students":[${ones()}]}`],
    ['20,000 toolchains', 'PUT', '/institution/config', () => `{"allowed_toolchains":[${'1,'.repeat(20_000)}1]}`],
    ['20,000 events', 'POST', '/webhooks/endpoints', () => `{"url":"https://hooks.example.org/","events":[${'1,'.repeat(20_000)}1]}`],
    ['230,000 unknown fields', 'POST', '/students', () => unknown(150_000)],
    ['20,000 unknown fields', 'POST', '/students', () => unknown(20_000)],
    ['20,000 unknown fields within a field', 'PUT', '/institution/config', () => `{"default_ai_policy":${unknown(20_000)}}`],
    ['12,000 inline files of a coding exam', 'POST', '/exams', () => `{"faculty_id":"f","title":"t","code_spec":{"v":1,"brief_md":"b","toolchain":"c","commands":{},"sample_tests":{"kind":"inline","files":[${'{},'.repeat(12_000)}{}]}}}`],
    ['24,000 ids of groups', 'POST', '/exams', () => `{"faculty_id":"f","title":"t","group_ids":[${'1,'.repeat(24_000)}1]}`],
    ['24,000 ids of students', 'POST', '/groups', () => `{"name":"n","student_ids":[${'1,'.repeat(24_000)}1]}`],
    ['60,000 __proto__ under 1,000 long names', 'POST', '/students', protos],
    ['100,000 brackets that are not closed', 'POST', '/students', () => `{"\\u0061":${'['.repeat(100_000)}`],
    ['900,000 brackets that are closed', 'POST', '/students', () => `{"\\u0061":${'['.repeat(900_000)}${']'.repeat(900_000)}}`],
    ['a field name of 2 MB', 'POST', '/students', () => `{"${'n'.repeat(nearLimitBytes - 100)}":1}`],
  ];

  it.each(bad)('%s', async (_name, method, path, make) => {
    const body = make();
    let answer = await send(method, path, '{"nobody":1}');
    let tookMs = Infinity;
    // The best of some tries: what else the machine does is not the body's fault.
    for (let tries = 0; tries < 8 && tookMs >= maxMs; tries += 1) {
      const began = performance.now();
      answer = await send(method, path, body);
      tookMs = performance.now() - began;
    }
    expect([answer.status, answer.body.error]).toEqual([422, 'validation_error']);
    expect(JSON.stringify(answer.body).length).toBeLessThan(64 * 1024);
    expect(answer.body.issues.length).toBeLessThanOrEqual(100);
    for (const { path: where } of answer.body.issues) expect(where.length).toBeLessThanOrEqual(200);
    expect(tookMs).toBeLessThan(maxMs);
  });
});

describe('the shape of a body', () => {
  const lms = (levels: number): string => `{"lms":${nest(levels, '1', 'a')}}`;

  it('may have 32 levels', async () => {
    expect((await send('POST', '/students', nest(32, '1', 'a'))).body.issues).toEqual([{ path: 'a', message: 'a is not a known field; known: full_name, student_id, personal_email, license_days' }]);
    expect((await send('POST', '/students', nest(33, '1', 'a'))).body.issues).toEqual([
      { path: 'body', message: 'must not be nested deeper than 32 levels' },
    ]);
    expect((await send('PUT', '/institution/config', lms(18))).status).toBe(200);
    const brackets = JSON.stringify({ full_name: `"${'['.repeat(40)}\\"${'{'.repeat(40)}\\` });
    expect((await send('POST', '/students', brackets)).status).toBe(200);
  });

  it('may have 25,000 values', async () => {
    const holding = (values: number): Promise<ApiResponse> => send('POST', '/students', `{"ids":[${Array.from({ length: values - 1 }, () => 1).join()}]}`);
    expect((await holding(25_000)).body.issues).toEqual([{ path: 'ids', message: 'ids is not a known field; known: full_name, student_id, personal_email, license_days' }]);
    expect((await holding(25_001)).body.issues).toEqual([{ path: 'body', message: 'must hold at most 25000 values' }]);
  });

  it('has no field __proto__, at any depth and in any spelling', async () => {
    const { body } = await send('PUT', '/institution/config', '{"lms":{"list":[{"\\u005f_proto__":{"a":1}}]}}');
    expect(body.issues).toEqual([{ path: 'lms.list.0.__proto__', message: 'lms.list.0.__proto__ is not a known field' }]);
  });
});

describe('the problems of a body', () => {
  it('are named 100 at most, and counted', async () => {
    const { body } = await send('POST', '/webhooks/endpoints', `{"events":[${'1,'.repeat(49)}1],${unknown(51).slice(1, -1)}}`);
    expect([body.issues.length, body.message]).toEqual([51, 'u0 is not a known field (and 50 more)']);
    const many = await send('PUT', '/institution/config', unknown(300));
    expect([many.body.issues.length, many.body.message]).toEqual([100, 'u0 is not a known field (and 299 more)']);
  });

  it('of a student of a bulk call are named 20 at most', async () => {
    const refused = checkValue(newStudentSchema, JSON.parse(unknown(40)));
    expect('error' in refused && [refused.error.details.issues?.length, refused.error.message]).toEqual([20, 'u0 is not a known field; known: full_name, student_id, personal_email, license_days (and 39 more)']);
  });
});

describe('a body that the operation does not take', () => {
  const padded = (length: number): string => `{}${' '.repeat(length - 2)}`;

  it('is read up to 16 KiB', async () => {
    const paths = ['/students/stu_nobody/suspend', '/students/stu_nobody/reactivate'];
    for (const path of paths) {
      const over = await send('POST', path, padded(16 * 1024 + 1));
      expect([path, over.status, over.body.issues]).toEqual([path, 422, [{ path: 'body', message: 'must be at most 16384 bytes' }]]);
    }
    expect((await send('DELETE', '/webhooks/endpoints/we_nobody', padded(16 * 1024 + 1))).status).toBe(422);
    expect((await send('DELETE', '/webhooks/endpoints/we_nobody', padded(16 * 1024))).status).toBe(404);
  });
});
