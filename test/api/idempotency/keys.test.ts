import { Client } from 'pg';
import { openRawConnection } from '../../support/rawHttp';
import type { ApiResponse } from '../../support/api';
import { twoApisFixture } from '../../support/apiFixture';
import { eventually } from '../../support/eventually';
import { rowCountsOf } from '../../support/rowCounts';

const fixture = twoApisFixture();
const { api, institution } = fixture;

const withKey = (key: string, method: string, path: string, body?: unknown, apiKey = institution.apiKey): Promise<ApiResponse> =>
  api.call(method, path, { key: apiKey, body, headers: { 'idempotency-key': key } });
const isReplayed = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true';
const students = async (): Promise<number> => (await fixture.listAt('/students')).data.total;

/** The same call at the second process of the service. */
async function atSecond(key: string, path: string, body: unknown): Promise<{ status: number; body: unknown; replayed: boolean }> {
  const response = await fetch(`http://127.0.0.1:${fixture.secondPort}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), replayed: response.headers.get('idempotent-replayed') === 'true' };
}

describe('a key', () => {
  it.each([
    ['is empty', ''], ['is longer than 255 characters', 'k'.repeat(256)], ['has a space within', 'a b'], ['is not ASCII', 'kéy'],
  ])('that %s is refused by its name, and nothing is done', async (_what, key) => {
    const { status, body } = await withKey(key, 'POST', '/students', {});
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', 'Idempotency-Key']);
    expect(body.issues[0].message).toContain('1 to 255 visible ASCII characters, without blanks');
    expect(await students()).toBe(0);
  });

  it('that is sent twice is refused', async () => {
    const head = `POST /v1/students HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${institution.apiKey}\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    const { socket, response } = await openRawConnection(api.api.port);
    socket.write(head);
    expect(await response).toMatchObject({ status: 422, body: { issues: [{ path: 'Idempotency-Key' }] } });
  });

  it.each([['one character', '!'], ['255 characters', `~${'k'.repeat(254)}`]])('of %s is taken', async (_what, key) => {
    const first = await withKey(key, 'POST', '/students', {});
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    expect(isReplayed(await withKey(key, 'POST', '/students', {}))).toBe(true);
  });

  it('is not looked at where nothing is written', async () => {
    expect((await withKey('a b', 'GET', '/students')).status).toBe(200);
  });
});

describe('the same key with the same request', () => {
  it('gets the response of the first call, byte for byte, and does nothing: no row, no event, no audit log entry', async () => {
    const send = async (): Promise<[string, string | null]> => {
      const response = await fetch(`${api.baseUrl}/students`, {
        method: 'POST',
        headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
        body: '{"full_name":"Ada","personal_email":"ada@example.org"}',
      });
      return [await response.text(), response.headers.get('idempotent-replayed')];
    };
    const [first, firstReplayed] = await send();
    expect([JSON.parse(first).success, firstReplayed]).toEqual([true, null]);
    const before = await rowCountsOf(api, institution);
    expect(before).toMatchObject({ audit_log: 1, idempotency_keys: 1 });
    expect(await send()).toEqual([first, 'true']);
    expect(await rowCountsOf(api, institution)).toEqual(before);
  });

  it('answers it although things have changed since', async () => {
    const { data } = await withKey('k', 'POST', '/students', { full_name: 'Ada' });
    await fixture.call('POST', `/students/${data.id}/suspend`);
    expect((await withKey('k', 'POST', '/students', { full_name: 'Ada' })).data).toEqual(data);
  });

  it('is answered to another API key of the institution, and is a first call in another institution', async () => {
    const { data } = await withKey('k', 'POST', '/students', {});
    const otherKey = await api.keyFor(institution, ['students:write']);
    expect((await withKey('k', 'POST', '/students', {}, otherKey)).data).toEqual(data);
    const elsewhere = await api.institution();
    const there = await withKey('k', 'POST', '/students', {}, elsewhere.apiKey);
    expect([there.status, isReplayed(there)]).toEqual([200, false]);
    expect(there.data.id).not.toBe(data.id);
  });

  it('is answered to nobody who may not make the call', async () => {
    await withKey('k', 'POST', '/students', {});
    const readOnly = await api.keyFor(institution, ['students:read']);
    expect((await withKey('k', 'POST', '/students', {}, readOnly)).body.error).toBe('insufficient_scope');
  });

  it('is a first call again after 24 hours', async () => {
    const { data } = await withKey('k', 'POST', '/students', {});
    await fixture.sql("UPDATE idempotency_keys SET created_at = created_at - interval '24 hours' WHERE institution_id = $1", [institution.id]);
    const second = await withKey('k', 'POST', '/students', {});
    expect([second.status, isReplayed(second), second.data.id === data.id]).toEqual([200, false, false]);
    expect((await withKey('k', 'POST', '/students', {})).data).toEqual(second.data);
  });

  it('has no effect on calls without a key, which create as before', async () => {
    const ids = await Promise.all([fixture.call('POST', '/students', {}), fixture.call('POST', '/students', {}), withKey('k', 'POST', '/students', {})]);
    expect(new Set(ids.map(({ data }) => data.id)).size).toBe(3);
  });
});

describe('the same key with another request', () => {
  it.each([
    ['body', 'POST', '/students', { full_name: 'Grace' }], ['path', 'POST', '/faculty', { full_name: 'Ada' }],
    ['method', 'PUT', '/institution/config', {}],
  ])('is a conflict that says so: another %s', async (_what, method, path, body) => {
    await withKey('k', 'POST', '/students', { full_name: 'Ada' });
    const before = await rowCountsOf(api, institution);
    const { status, body: answer } = await withKey('k', method, path, body);
    expect([status, answer.error]).toEqual([409, 'conflict']);
    expect(answer.message).toContain('another request');
    expect(await rowCountsOf(api, institution)).toEqual(before);
  });

  it('is a conflict for every kind of operation: those that look outside before they write, too', async () => {
    await withKey('k', 'POST', '/students', {});
    const { status, body } = await withKey('k', 'POST', '/webhooks/endpoints', { url: 'https://hooks.example.org', events: ['*'] });
    expect([status, body.error]).toEqual([409, 'conflict']);
  });
});

describe('a call that was refused', () => {
  it.each([
    ['by its body', { license_days: 0 }, 'validation_error'], ['by a rule', { personal_email: 'taken@example.org' }, 'conflict'],
  ])('%s has stored nothing: the next with its key is a first one', async (_how, body, error) => {
    await fixture.call('POST', '/students', { personal_email: 'taken@example.org' });
    expect((await withKey('k', 'POST', '/students', body)).body.error).toBe(error);
    const next = await withKey('k', 'POST', '/students', { full_name: 'Ada' });
    expect([next.status, isReplayed(next)]).toEqual([200, false]);
  });
});

describe('calls with one key at the same time', () => {
  it('have one effect, and all get its response: 50 at two processes', async () => {
    const body = { full_name: 'Ada', personal_email: 'ada@example.org' };
    const responses = await Promise.all(
      Array.from({ length: 50 }, async (_, nth) => {
        if (nth % 2 === 0) return atSecond('k', '/students', body);
        const response = await withKey('k', 'POST', '/students', body);
        return { status: response.status, body: response.body, replayed: isReplayed(response) };
      }),
    );
    expect(new Set(responses.map((response) => JSON.stringify([response.status, response.body]))).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await students()).toBe(1);
  });

  it('wait for the first up to 10 s, then are a conflict that says it is under way, without Retry-After; the key is free afterwards', async () => {
    const client = new Client({ connectionString: api.stack.databaseUrl });
    await client.connect();
    try {
      // As the first call holds it.
      await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`${institution.id} k`]);
      const began = performance.now();
      const [one, other] = await Promise.all([withKey('k', 'POST', '/students', {}), atSecond('k', '/students', {})]);
      expect(performance.now() - began).toBeGreaterThan(9_500);
      expect([one.status, one.body.error, other.status]).toEqual([409, 'conflict', 409]);
      expect(one.body.message).toContain('still under way');
      expect(one.headers.has('retry-after')).toBe(false);
    } finally {
      await client.end();
    }
    expect((await withKey('k', 'POST', '/students', {})).status).toBe(200);
    expect(await students()).toBe(1);
  });

  it('that wait for the first are answered once it is done', async () => {
    const client = await api.api.domain.database.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${institution.id} k`]);
    const waiting = Promise.all([withKey('k', 'POST', '/students', {}), atSecond('k', '/students', {})]);
    await eventually('both processes wait', async () => (await fixture.sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length === 2);
    await client.query('COMMIT');
    client.release();
    const [one, other] = await waiting;
    expect(other.body).toEqual(one.body);
    expect(await students()).toBe(1);
  });
});

describe('what is stored', () => {
  it('has a bound: once the large responses of a day take 256 MiB, a call with another is a conflict and does nothing; small ones go on', async () => {
    const config = (note: string) => ({ lms: { note: note.repeat(16_300) } });
    const noteNow = async (): Promise<string> => (await fixture.call('GET', '/institution/config')).data.lms.note[0];
    expect((await withKey('first', 'PUT', '/institution/config', config('a'))).status).toBe(200);
    await fixture.sql('UPDATE idempotency_keys SET response_bytes = $2 WHERE institution_id = $1', [institution.id, 256 * 1024 * 1024]);
    const refused = await withKey('second', 'PUT', '/institution/config', config('b'));
    expect([refused.status, refused.body.error, await noteNow()]).toEqual([409, 'conflict', 'a']);
    expect((await withKey('third', 'POST', '/students', {})).status).toBe(200);
    expect(isReplayed(await withKey('first', 'PUT', '/institution/config', config('a')))).toBe(true);
    await fixture.sql("UPDATE idempotency_keys SET created_at = created_at - interval '24 hours' WHERE institution_id = $1", [institution.id]);
    expect([(await withKey('second', 'PUT', '/institution/config', config('b'))).status, await noteNow()]).toEqual([200, 'b']);
  });

  it('is sealed: neither a webhook secret nor a name is in the table in the clear, and the secret comes again', async () => {
    const body = { url: 'https://hooks.example.org/in', events: ['*'] };
    const first = await withKey('k', 'POST', '/webhooks/endpoints', body);
    expect(first.data.secret).toMatch(/^whsec_/);
    const [row] = await fixture.sql<{ whole: string }>('SELECT idempotency_keys::text AS whole FROM idempotency_keys WHERE institution_id = $1', [institution.id]);
    expect(row?.whole).not.toContain('whsec_');
    expect(row?.whole).not.toContain('hooks.example.org');
    expect((await withKey('k', 'POST', '/webhooks/endpoints', body)).data).toEqual(first.data);
    expect((await fixture.listAt('/webhooks/endpoints')).data.total).toBe(1);
  });
});
