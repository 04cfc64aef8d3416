import { detailedEventTypes, plainEventTypes, serviceEventTypes } from '../../../../domain/attempts/feedTypes';
import { errorSummary } from '../../../support/responses';
import { appFixture, issuePaths, type SignedInStudent } from '../../../support/appFixture';

const { sql, callAs, attemptFeed, studentWithAttempt, signedInStudent } = appFixture();
const hour = 3_600_000;
const at = '2026-11-20T09:30:00.125Z';
const conflict = [409, 'conflict'];

const send = (who: SignedInStudent, attemptId: string, events: unknown) => callAs(who, 'POST', `/app/attempts/${attemptId}/events`, { events });
const sums = async (attemptId: string) =>
  (await sql('SELECT event_count, focus_losses, seconds_away, recorder_errors FROM attempts WHERE id = $1', [attemptId]))[0];
const sent = async (attemptId: string) => (await attemptFeed(attemptId)).filter(({ id }) => !id.startsWith('service:'));
const plain = (id: string, type = 'screen_locked') => ({ id, type, at });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, nth) => plain(`e${from + nth}`));
const detailOf: Record<string, object> = { focus_gained: { away_seconds: 2.5 }, sample_tests_run: { passed: 1, failed: 0 } };

it('stores every type that apps send, with the time of their clock and the detail as it came', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const types = [...plainEventTypes, ...detailedEventTypes];
  const events = types.map((type, nth) => ({ id: `e${nth}`, type, at: `1999-01-01T00:00:${String(nth).padStart(2, '0')}.000Z`, ...(type in detailOf ? { detail: { ...detailOf[type], more: [nth, { deep: 'é' }] } } : {}) }));
  expect((await send(who, attemptId, events)).data).toEqual({ stored: types.length, repeated: 0 });
  expect((await sent(attemptId)).map((row) => ({ ...row, at: row.at.toISOString() }))).toEqual(events.map((event) => ({ detail: null, ...event })));
  expect(await sums(attemptId)).toEqual({ event_count: types.length, focus_losses: 1, seconds_away: 2.5, recorder_errors: 1 });
});

it('stores each event once, though it is sent again or is in a batch twice; the sums move by what was stored', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const gained = (id: string, away_seconds: number) => ({ id, type: 'focus_gained', at, detail: { away_seconds } });
  const batch = [plain('a', 'focus_lost'), gained('b', 10), plain('c', 'recorder_error'), plain('a', 'focus_lost')];
  expect((await send(who, attemptId, batch)).data).toEqual({ stored: 3, repeated: 1 });
  expect((await send(who, attemptId, [...batch, gained('d', 0.5)])).data).toEqual({ stored: 1, repeated: 4 });
  expect((await send(who, attemptId, [gained('b', 99)])).data).toEqual({ stored: 0, repeated: 1 });
  expect(await sums(attemptId)).toEqual({ event_count: 4, focus_losses: 1, seconds_away: 10.5, recorder_errors: 1 });
  expect((await sent(attemptId)).find(({ id }) => id === 'b')?.detail).toEqual({ away_seconds: 10 });
});

it('stores a batch once that is sent twenty times at once', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const batch = [...many(100), plain('lost', 'focus_lost')];
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(who, attemptId, batch)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answers.map(({ data }) => data.stored).sort((one, other) => other - one)).toEqual([101, ...Array(19).fill(0)]);
  expect(await sums(attemptId)).toMatchObject({ event_count: 101, focus_losses: 1 });
});

it('keeps ids apart by attempt', async () => {
  const [one, other] = [await studentWithAttempt(), await studentWithAttempt()];
  for (const { who, attemptId } of [one, other]) expect((await send(who, attemptId, [plain('a')])).data).toEqual({ stored: 1, repeated: 0 });
});

describe('is refused with the path of the problem:', () => {
  it.each(serviceEventTypes)('%s, which the service writes', async (type) => {
    const { who, attemptId } = await studentWithAttempt();
    expect(errorSummary(await send(who, attemptId, [plain('a'), plain('b', type)]))).toEqual([422, 'validation_error', ['events.1.type']]);
    expect(await sent(attemptId)).toEqual([]);
  });

  // Contract: proctoring.events.focus-gained-detail, proctoring.events.sample-tests-detail
  it('everything else that an event must not be', async () => {
    const { who, attemptId } = await studentWithAttempt();
    const gained = (detail: unknown) => ({ id: 'a', type: 'focus_gained', at, detail });
    const ran = (detail: unknown) => ({ id: 'a', type: 'sample_tests_run', at, detail });
    const levels = (count: number): object => (count === 1 ? {} : { in: levels(count - 1) });
    const refused: [unknown, string[]][] = [
      [plain('a', 'cheated'), ['type']],
      [{ id: 'a', at }, ['type']],
      [{ type: 'focus_lost' }, ['at', 'id']],
      [plain('service:started'), ['id']],
      [plain(''), ['id']],
      [plain('x'.repeat(101)), ['id']],
      [{ ...plain('a'), at: 'yesterday' }, ['at']],
      [{ ...plain('a'), extra: 1 }, ['extra']],
      [{ ...plain('a'), detail: 'much' }, ['detail']],
      [{ ...plain('a'), detail: [] }, ['detail']],
      [{ ...plain('a'), detail: levels(6) }, ['detail']],
      [{ ...plain('a'), detail: { text: 'x'.repeat(4_096) } }, ['detail']],
      [{ ...plain('a'), detail: { text: 'a\u0000b' } }, ['detail']],
      ...[1e21, -1e308, 9e-7, -5e-324].map((number): [unknown, string[]] => [{ ...plain('a'), detail: { in: [number] } }, ['detail']]),
      [{ id: 'a', type: 'focus_gained', at }, ['detail']],
      [gained({ away_seconds: 5e-324 }), ['detail']],
      [gained({}), ['detail.away_seconds']],
      [gained({ away_seconds: -1 }), ['detail.away_seconds']],
      [gained({ away_seconds: 86_400.5 }), ['detail.away_seconds']],
      [gained({ away_seconds: '3' }), ['detail.away_seconds']],
      [ran({ passed: 1 }), ['detail.failed']],
      [ran({ passed: -1, failed: 1.5 }), ['detail.failed', 'detail.passed']],
    ];
    for (const [event, paths] of refused) expect([event, issuePaths(await send(who, attemptId, [event])).sort()]).toEqual([event, paths.map((path) => `events.0.${path}`)]);
    expect((await send(who, attemptId, [{ ...plain('a'), detail: levels(5) }, { ...plain('b'), detail: null }, { ...plain('c'), detail: { text: 'x'.repeat(4_085) } }])).data).toEqual({ stored: 3, repeated: 0 });
  });

  it('no event, and over 500 in a call', async () => {
    const { who, attemptId } = await studentWithAttempt();
    for (const events of [[], many(501), undefined, 'all']) expect(issuePaths(await send(who, attemptId, events))).toEqual(['events']);
    expect((await send(who, attemptId, many(500))).data).toEqual({ stored: 500, repeated: 0 });
  });
});

it('takes numbers that JSON writes without an exponent, and answers them as they came', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const detail = { numbers: [0, 0.000001, -0.000001, 999_999_999_999_999_900_000, -1.5, 0.1] };
  expect((await send(who, attemptId, [{ ...plain('a'), detail }])).data).toEqual({ stored: 1, repeated: 0 });
  expect((await sent(attemptId))[0]?.detail).toEqual(detail);
});

it("is not found for another student's attempt", async () => {
  const { attemptId } = await studentWithAttempt();
  expect(errorSummary(await send(await signedInStudent(), attemptId, [plain('a')]))).toEqual([404, 'not_found']);
});

describe('are taken until 24 hours after the end of the attempt,', () => {
  const ends = {
    submitted: (endedAt: Date) => ["UPDATE attempts SET status = 'submitted', ended_at = $2 WHERE id = $1", endedAt] as const,
    abandoned: (endedAt: Date) => ["UPDATE attempts SET status = 'abandoned', ended_at = $2 WHERE id = $1", endedAt] as const,
    'over, though nobody has noted it': (endedAt: Date) => ['UPDATE attempts SET expires_at = $2 WHERE id = $1', endedAt] as const,
  };

  it.each(Object.entries(ends))('%s', async (_how, end) => {
    const { who, attemptId } = await studentWithAttempt();
    const [early, late] = [end(new Date(Date.now() - 23.9 * hour)), end(new Date(Date.now() - 24.1 * hour))];
    await sql(early[0], [attemptId, early[1]]);
    expect((await send(who, attemptId, [plain('a')])).data).toEqual({ stored: 1, repeated: 0 });
    await sql(late[0], [attemptId, late[1]]);
    expect(errorSummary(await send(who, attemptId, [plain('b')]))).toEqual(conflict);
  });
});

it('takes 20,000 an attempt; a batch beyond that is a conflict and leaves nothing, one that repeats is not', async () => {
  const { who, attemptId } = await studentWithAttempt();
  await sql('UPDATE attempts SET event_count = 19998 WHERE id = $1', [attemptId]);
  expect(errorSummary(await send(who, attemptId, many(3)))).toEqual(conflict);
  expect([await sent(attemptId), await sums(attemptId)]).toMatchObject([[], { event_count: 19_998 }]);
  expect((await send(who, attemptId, many(2))).data).toEqual({ stored: 2, repeated: 0 });
  expect(errorSummary(await send(who, attemptId, many(3)))).toEqual(conflict);
  expect((await send(who, attemptId, many(2))).data).toEqual({ stored: 0, repeated: 2 });
});
