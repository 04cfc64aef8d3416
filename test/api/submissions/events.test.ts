import { errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { submissionCalls } from '../../support/submissionCalls';

const fixture = apiFixture();
const { institution, sql, listAt } = fixture;
const { newSubmission, readSubmission } = submissionCalls(fixture);

const note = (attemptId: string, id: string, type: string, at: string, detail: object | null = null) =>
  sql('INSERT INTO attempt_events (attempt_id, id, institution_id, type, at, detail) VALUES ($1, $2, $3, $4, $5, $6)', [attemptId, id, institution.id, type, at, detail]);
const events = (id: string, query: Record<string, string | number> = {}) => listAt(`/submissions/${id}/events`, query);

/** A submission with so many events of its attempt, one a second. */
async function withEvents(types: readonly (readonly [type: string, detail?: object])[]): Promise<{ id: string; attemptId: string }> {
  const { id } = await newSubmission();
  const { attempt_id: attemptId } = await readSubmission(id);
  for (const [nth, [type, detail]] of types.entries()) await note(attemptId, `e${nth}`, type, new Date(Date.UTC(2026, 0, 1, 8, 0, nth)).toISOString(), detail ?? null);
  return { id, attemptId };
}

describe('GET /submissions/{id}/events', () => {
  // Contract: service.purpose.read-submissions-and-proctoring, attempts.record.fields, submissions.events.shape, submissions.events.counts-by-type
  // Contract: submissions.events.event-fields, submissions.events.response
  it('answers the attempt, counts by type and the events in the order of their times', async () => {
    const { id, attemptId } = await withEvents([['attempt_started'], ['focus_lost'], ['focus_gained', { away_seconds: 7.5 }], ['focus_lost']]);
    await note(attemptId, 'earlier', 'recording_started', '2026-01-01T07:59:59.999Z');
    const { data } = await events(id);
    expect(data).toEqual({
      attempt: { id: attemptId, student_id: expect.stringMatching(/^stu_/), status: 'submitted', started_at: expect.any(String), expires_at: null, hidden_released_at: null, ended_at: expect.any(String) },
      counts: { attempt_started: 1, focus_gained: 1, focus_lost: 2, recording_started: 1 },
      events: [
        { type: 'recording_started', at: '2026-01-01T07:59:59.999Z' },
        { type: 'attempt_started', at: '2026-01-01T08:00:00.000Z' },
        { type: 'focus_lost', at: '2026-01-01T08:00:01.000Z' },
        { type: 'focus_gained', at: '2026-01-01T08:00:02.000Z', detail: { away_seconds: 7.5 } },
        { type: 'focus_lost', at: '2026-01-01T08:00:03.000Z' },
      ],
      page: 1,
      limit: 50,
      total: 5,
      has_more: false,
      next_cursor: null,
    });
  });

  it('pages, while the counts stay those of all', async () => {
    const { id } = await withEvents(Array.from({ length: 5 }, (_, nth) => [nth % 2 === 0 ? 'focus_lost' : 'focus_gained'] as const));
    const pages = [await events(id, { limit: 2 }), await events(id, { limit: 2, page: 3 }), await events(id, { limit: 2, page: 4 })];
    expect(pages.map(({ data }) => [data.events.length, data.total, data.has_more, data.counts])).toEqual([
      [2, 5, true, { focus_gained: 2, focus_lost: 3 }],
      [1, 5, false, { focus_gained: 2, focus_lost: 3 }],
      [0, 5, false, { focus_gained: 2, focus_lost: 3 }],
    ]);
  });

  it('has nothing of another attempt of the same student', async () => {
    const { id, studentId, examId } = await newSubmission({ status: 'resubmission_required' });
    const second = await newSubmission({ version: 2 }, { studentId, examId });
    await note((await readSubmission(second.id)).attempt_id, 'e1', 'focus_lost', '2026-01-01T08:00:00Z');
    expect([(await events(id)).data.total, (await events(second.id)).data.total]).toEqual([0, 1]);
  });

  it('refuses unknown parameters', async () => {
    const { id } = await newSubmission();
    expect(errorSummary(await events(id, { type: 'focus_lost' }))).toEqual([422, 'validation_error', ['type']]);
  });
});
