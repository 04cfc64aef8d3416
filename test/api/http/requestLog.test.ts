import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { keptLog } from '../../support/findValues';
import { expireBatchAt, seedCoupons } from '../../support/seed/coupons';

const { logger, lines } = keptLog();
const { api, institution, signedInStudent, callAs, call } = appFixture({ institutionPer: 'file', logger });

type Line = Record<string, unknown>;

/** The line of the request that a response answers. */
function requestLine({ headers }: { headers: Headers }): Line {
  const id = headers.get('x-request-id');
  const found = lines.map((line): Line => JSON.parse(line)).find((line) => line.request_id === id && line.msg === 'request');
  if (found === undefined) throw new Error(`No line names ${id}`);
  return found;
}

/** What the log says of the request that a response answers, without what every line has. */
function lineOf(answer: { headers: Headers }): Line {
  const { method, route, status, institution_id, key_id, role, actor_id } = requestLine(answer);
  return JSON.parse(JSON.stringify({ method, route, status, institution_id, key_id, role, actor_id }));
}

it('a request with a key is logged with the key and its institution', async () => {
  const response = await call('GET', '/me');
  expect(lineOf(response)).toEqual({ method: 'GET', route: '/me', status: 200, institution_id: institution.id, key_id: institution.keyId });
});

it('a request of a person is logged with their role and id', async () => {
  const student = await signedInStudent();
  const answers = [await callAs(student, 'GET', '/app/exams'), await api.platform('GET', `/institutions/${institution.id}/keys`, { headers: { 'x-actor': institution.adminId } }), await api.platform('GET', '/institutions')];
  expect(answers.map(lineOf)).toEqual([
    { method: 'GET', route: '/app/exams', status: 200, institution_id: institution.id, role: 'student', actor_id: student.id },
    { method: 'GET', route: '/institutions/:id/keys', status: 200, institution_id: institution.id, role: 'admin', actor_id: institution.adminId },
    { method: 'GET', route: '/institutions', status: 200, role: 'platform', actor_id: 'platform' },
  ]);
});

it('a request that is forbidden is logged with who sent it', async () => {
  const student = await signedInStudent();
  const [ofPerson, ofKey] = [await callAs(student, 'GET', '/institutions'), await api.call('GET', '/students', { key: await api.keyFor(institution, ['exams:read']) })];
  expect(lineOf(ofPerson)).toEqual({ method: 'GET', route: '/institutions', status: 403, institution_id: institution.id, role: 'student', actor_id: student.id });
  expect(lineOf(ofKey)).toEqual({ method: 'GET', route: '/students', status: 403, institution_id: institution.id, key_id: expect.stringMatching(/^key_/) });
});

it('a request with a known key that is not valid any more is logged with the key and its institution, one with an unknown key without', async () => {
  const school = await api.institution();
  const refused = async (key: string): Promise<Line> => {
    const answer = await api.call('GET', '/me', { key });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_api_key']);
    return lineOf(answer);
  };
  await api.platform('POST', `/institutions/${school.id}/suspend`);
  expect(await refused(school.apiKey)).toEqual({ method: 'GET', route: 'none', status: 401, institution_id: school.id, key_id: school.keyId });
  await api.platform('POST', `/institutions/${school.id}/approve`);
  await api.platform('DELETE', `/keys/${school.keyId}`);
  expect(await refused(school.apiKey)).toEqual({ method: 'GET', route: 'none', status: 401, institution_id: school.id, key_id: school.keyId });
  expect(await refused(`${school.apiKey.slice(0, -1)}${school.apiKey.endsWith('A') ? 'B' : 'A'}`)).toEqual({ method: 'GET', route: 'none', status: 401 });
});

describe('a refused request', () => {
  const refusedLine = (answer: { headers: Headers }): Line => {
    const { error, ids } = requestLine(answer);
    return { error, ids };
  };

  it('is logged with the code of its error, and the ids in its path', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada' });
    const license = String(data.license.id);
    await call('POST', `/licenses/${license}/revoke`);
    const refused = await call('POST', `/licenses/${license}/extend`, { expires_at: '2030-01-01T00:00:00Z' });
    expect([refused.status, refusedLine(refused)]).toEqual([409, { error: 'conflict', ids: [license] }]);
  });

  it('for want of a scope is logged with the scopes that its key lacks, and no other is', async () => {
    const refused = await api.call('POST', '/students', { key: await api.keyFor(institution, ['students:read']), body: { full_name: 'Ada' } });
    expect([refused.status, requestLine(refused).missing]).toEqual([403, ['students:write']]);
    expect(requestLine(await call('GET', '/students/stu_01jd4k6f2mep2s5xg5yhc8m1zr')).missing).toBeUndefined();
  });

  it('for its fields is logged with their names, with ? for a name that the caller made up', async () => {
    const refused = await call('POST', '/students', { full_name: 7, license_days: 0, 'nobody at all': 1, somebody: 2 });
    expect([refused.status, requestLine(refused).fields]).toEqual([422, ['full_name', 'license_days', '?']]);
    expect(requestLine(await call('POST', '/groups', { name: 'Class 7b', student_ids: ['stu_a', 4] })).fields).toEqual(['student_ids.1']);
    expect(requestLine(await call('GET', '/me')).fields).toBeUndefined();
    expect(lines.join('')).not.toMatch(/nobody at all|somebody/);
  });

  it('for a coupon code is logged with whether it was redeemed, and by this person or another, or has expired, and without the code', async () => {
    const [one, other] = [await signedInStudent(), await signedInStudent()];
    const [{ codes: [code = ''] }, past] = [await seedCoupons(api, institution, {}), await seedCoupons(api, institution, {})];
    const redeem = (who: SignedInStudent, typed: string) => callAs(who, 'POST', '/app/wallet/redeem', { code: typed });
    expect(requestLine(await redeem(one, code)).reason).toBeUndefined();
    await expireBatchAt(api, past.id, new Date(Date.now() - 1_000));
    const refused = [await redeem(one, code), await redeem(other, code), await redeem(other, past.codes[0] ?? '')];
    expect(refused.map((answer) => [answer.status, requestLine(answer).reason])).toEqual([[409, 'redeemed_by_this_person'], [409, 'redeemed_by_another'], [409, 'expired']]);
    expect(lines.join('')).not.toContain(code);
  });

  it('is logged without anything personal from its path', async () => {
    const refused = await call('GET', '/students/nobody@north.example');
    expect([refused.status, refusedLine(refused)]).toEqual([404, { error: 'not_found', ids: [] }]);
    expect(lines.join('')).not.toContain('nobody@north.example');
  });

  it('alone is: one that succeeds has neither', async () => {
    expect(refusedLine(await call('GET', '/me'))).toEqual({ error: undefined, ids: undefined });
  });
});
