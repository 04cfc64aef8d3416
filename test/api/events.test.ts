import { setTimeout as wait } from 'node:timers/promises';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { eventTypeNames, eventTypes, serializeEventData, type EventType } from '../../domain/events/eventTypes';
import { sampleEvent } from '../../domain/events/sampleEvent';
import { transact } from '../../domain/transact';
import type { TestInstitution } from '../support/api';
import { apiFixture } from '../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const feed = (institution: TestInstitution, query: Record<string, string | number> = {}) =>
  api.call('GET', '/events', { key: institution.apiKey, query });

/** Appends events in one transaction, as commands do. */
const emit = (institution: TestInstitution, ids: readonly string[]) =>
  transact(api.api.domain, institution.caller, (tx) => {
    for (const id of ids) tx.emit('student.email_mapped', { student_id: id });
    return Promise.resolve();
  });

const mapped = (data: { items: { type: string; data: { student_id: string } }[] }): string[] =>
  data.items.filter(({ type }) => type === 'student.email_mapped').map((event) => event.data.student_id);

interface Envelope {
  id: string;
  type: string;
  created_at: string;
}

describe('the event feed', () => {
  // Contract: service.purpose.poll-events, events.fields.id, events.list.response, webhooks.envelope.id-and-type, webhooks.envelope.created-at
  // Contract: webhooks.envelope.institution-and-data
  it('answers whole envelopes, oldest first', async () => {
    const institution = await api.institution();
    await emit(institution, ['stu_a', 'stu_b']);
    const { status, data } = await feed(institution, { type: 'student.email_mapped' });
    expect(status).toBe(200);
    expect(mapped(data)).toEqual(['stu_a', 'stu_b']);
    expect(data.items[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      type: 'student.email_mapped',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      institution_id: institution.id,
      data: { student_id: 'stu_a' },
    });
    expect([data.has_more, data.next_since]).toEqual([false, data.items[1].created_at]);
    expect(Object.keys(data).sort()).toEqual(['has_more', 'items', 'next_since']);
  });

  // Contract: events.list.query, events.polling.created-at-as-since
  it('takes since exclusively and says where to go on', async () => {
    const institution = await api.institution();
    await emit(institution, ['stu_a', 'stu_b', 'stu_c']);
    const first = await feed(institution, { type: 'student.*', limit: 2 });
    expect([mapped(first.data), first.data.has_more]).toEqual([['stu_a', 'stu_b'], true]);
    const second = await feed(institution, { type: 'student.*', limit: 2, since: first.data.next_since });
    expect([mapped(second.data), second.data.has_more]).toEqual([['stu_c'], false]);
    const third = await feed(institution, { type: 'student.*', since: second.data.next_since });
    expect(third.data).toEqual({ items: [], has_more: false, next_since: second.data.next_since });
  });

  it('says null as next_since where there is nothing and none was given', async () => {
    const institution = await api.institution();
    const { data } = await feed(institution, { type: 'coupon.*' });
    expect(data).toEqual({ items: [], has_more: false, next_since: null });
  });

  // Contract: events.list.query
  it('filters by exact type, by prefix and by *, in one order over the types', async () => {
    const institution = await api.institution();
    await transact(api.api.domain, institution.caller, (tx) => {
      tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' });
      tx.emit('student.email_mapped', { student_id: 'stu_1' });
      tx.emit('exam.assigned', { exam_id: 'exm_1', group_id: 'grp_1', student_count: 3 });
      tx.emit('exam.published', { exam_id: 'exm_2', faculty_id: 'fac_1', app: 'svc' });
      return Promise.resolve();
    });
    const types = async (type: string) => (await feed(institution, { type })).data.items.map((event: Envelope) => event.type);
    expect(await types('exam.published')).toEqual(['exam.published', 'exam.published']);
    expect(await types('exam.*')).toEqual(['exam.published', 'exam.assigned', 'exam.published']);
    expect(await types('*')).toEqual(expect.arrayContaining(['exam.published', 'student.email_mapped', 'exam.assigned']));
    expect(await types('ping')).toEqual([]);
  });

  it('holds the events of its own institution alone', async () => {
    const [institution, otherInstitution] = [await api.institution(), await api.institution()];
    await emit(institution, ['stu_a']);
    expect(mapped((await feed(otherInstitution)).data)).toEqual([]);
  });

  it.each([
    ['an unknown type', { type: 'exam.eaten' }, 'type'],
    ['a prefix of nothing', { type: 'lunch.*' }, 'type'],
    ['a prefix without its dot', { type: 'exam*' }, 'type'],
    ['an inherited name', { type: 'constructor' }, 'type'],
    ['an empty type', { type: '' }, 'type'],
    ['a since without zone', { since: '2026-11-20T09:30:00' }, 'since'],
    ['a since that is no date', { since: 'yesterday' }, 'since'],
    ['a limit of 0', { limit: 0 }, 'limit'],
    ['a limit of 201', { limit: 201 }, 'limit'],
    ['a page', { page: 1 }, 'page'],
  ])('refuses %s', async (_what, query, path) => {
    const institution = await api.institution();
    const { status, body } = await feed(institution, query);
    expect([status, body.error, body.issues.map((issue: { path: string }) => issue.path)]).toEqual([422, 'validation_error', [path]]);
  });

  it('wants the scope webhooks:read', async () => {
    const institution = await api.institution(['students:write']);
    const { status, body } = await feed(institution);
    expect([status, body.missing]).toEqual([403, ['webhooks:read']]);
  });
});

describe('pruned events', () => {
  const prune = (institution: TestInstitution, type: string, until: string) =>
    api.api.domain.database.sql('INSERT INTO pruned_events (institution_id, type, pruned_until) VALUES ($1, $2, $3)', [institution.id, type, until]);

  // Contract: errors.410.event-pruned
  it.each([
    ['since before the newest pruned event', { since: '2026-03-01T11:59:59.999Z' }, 410],
    ['since at the newest pruned event', { since: '2026-03-01T12:00:00.000Z' }, 200],
    ['no since', {}, 200],
    ['since before it, of its type', { since: '2026-02-01T00:00:00Z', type: 'exam.graded' }, 410],
    ['since before it, of a prefix of its type', { since: '2026-02-01T00:00:00Z', type: 'exam.*' }, 410],
    ['since before it, of another type', { since: '2026-02-01T00:00:00Z', type: 'exam.published' }, 200],
    ['since before the older pruned event of another type', { since: '2025-12-01T00:00:00Z', type: 'student.*' }, 410],
    ['since between both, of the other type', { since: '2026-02-01T00:00:00Z', type: 'student.*' }, 200],
  ])('with %s', async (_what, query, expected) => {
    const institution = await api.institution();
    await prune(institution, 'exam.graded', '2026-03-01T12:00:00.000Z');
    await prune(institution, 'student.created', '2026-01-01T12:00:00.000Z');
    const { status, body } = await feed(institution, query);
    expect([status, body.error]).toEqual([expected, expected === 410 ? 'event_pruned' : undefined]);
  });

  it('of another institution prune nothing here', async () => {
    const [institution, otherInstitution] = [await api.institution(), await api.institution()];
    await prune(otherInstitution, 'exam.graded', '2026-03-01T12:00:00.000Z');
    expect((await feed(institution, { since: '2026-02-01T00:00:00Z' })).status).toBe(200);
  });
});

describe('a poller that passes next_since on', () => {
  // Contract: service.purpose.poll-events, events.polling.created-at-as-since
  it('sees every event exactly once and in strictly rising order while eight writers commit', async () => {
    const institution = await api.institution();
    const seen: Envelope[] = [];
    let since: string | undefined;
    let writing = true;
    const follow = async (): Promise<void> => {
      for (;;) {
        const last = !writing;
        const { status, data } = await feed(institution, { limit: 1 + (seen.length % 23), ...(since === undefined ? {} : { since }) });
        expect(status).toBe(200);
        seen.push(...data.items);
        since = data.next_since ?? since;
        if (last && !data.has_more) return;
        if (!data.has_more) await wait(2);
      }
    };
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; n < 12; n += 1) {
        const { status } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: `Student ${writer} ${n}` } });
        expect(status).toBe(200);
      }
    };
    const disturb = async (): Promise<void> => {
      await wait(30);
      await emit(institution, Array.from({ length: 400 }, (_, n) => `stu_${n}`));
      await api.api.domain.database.sql('UPDATE event_clocks SET last_ms = last_ms + 3600000 WHERE institution_id = $1', [institution.id]);
    };
    const poller = follow();
    await Promise.all([disturb(), ...Array.from({ length: 8 }, (_, writer) => write(writer))]);
    writing = false;
    await poller;

    const stored = await api.api.domain.database.sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 ORDER BY created_at', [institution.id]);
    expect(seen.length).toBeGreaterThanOrEqual(400 + 8 * 12);
    expect(seen.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    const times = seen.map(({ created_at }) => created_at);
    expect(times.every((time, n) => n === 0 || time > (times[n - 1] ?? ''))).toBe(true);
    expect(Date.parse(times.at(-1) ?? '') - Date.now()).toBeGreaterThan(3_000_000);
  });
});

it('an unknown type is named by the error, with where the types are listed', async () => {
  const { status, body } = await feed(await api.institution(), { type: 'student.creatd' });
  expect([status, body.issues]).toEqual([422, [{ path: 'type', message: 'type must be one pattern: an event type, a prefix of some such as exam.*, or *; student.creatd is none (did you mean student.created?). GET /v1/events/types lists them' }]]);
});

it.each([['exam.grade', 'exam.graded'], ['student', 'student.*'], ['student.make', 'student.*']])('an unknown type is named with the one that was probably meant: %s', async (type, meant) => {
  const { body } = await feed(await api.institution(), { type });
  expect(body.message).toContain(`${type} is none (did you mean ${meant}?)`);
});

describe('the event types', () => {
  // Contract: events.types.response
  it('are all listed, and each schema takes the data of its events and refuses others', async () => {
    const institution = await api.institution();
    const { data } = await api.call('GET', '/events/types', { key: institution.apiKey });
    expect(data.items.map(({ type }: { type: string }) => type)).toEqual(Object.keys(eventTypes));
    expect(Object.keys(data)).toEqual(['items']);
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const schemaOf = new Map<string, object>(data.items.map((item: { type: string; data_schema: object }) => [item.type, item.data_schema]));
    for (const schema of schemaOf.values()) expect(ajv.compile(schema)({})).toBe(false);
    await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    const events = (await feed(institution)).data.items as (Envelope & { data: object })[];
    expect(events.length).toBeGreaterThan(2);
    for (const event of events) expect([event.type, ajv.compile(schemaOf.get(event.type) ?? false)(event.data)]).toEqual([event.type, true]);
  });

  it('gives each type a sample that fits its schema, with one id for each thing of the story', async () => {
    const institution = await api.institution();
    const { data } = await api.call('GET', '/events/types', { key: institution.apiKey });
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const items = data.items as { type: EventType; data_schema: object; sample: Record<string, unknown> }[];
    const valuesOf = new Map<string, Set<unknown>>();
    for (const { type, data_schema, sample } of items) {
      expect([type, ajv.validate(data_schema, sample)]).toEqual([type, true]);
      expect(JSON.parse(serializeEventData(type, sampleEvent(type).data))).toEqual(sample);
      for (const [field, value] of Object.entries(sample)) if (field.endsWith('_id')) valuesOf.set(field, (valuesOf.get(field) ?? new Set()).add(value));
    }
    expect(items.map(({ type }) => type)).toEqual(eventTypeNames);
    for (const [field, values] of valuesOf) expect([field, values.size]).toEqual([field, 1]);
  });
});
