import { institutionsWithOldTraces, removeOldTraces } from '../../../domain/retention/removeOldTraces';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { seedTraces, type Traces } from '../../support/seed/traces';
import { daysBefore } from '../../support/time';

const { api, institution, call, sql, createExam } = apiFixture();

const remove = () => transact(api.api.domain, systemCaller(institution.id), removeOldTraces);
const traces = async (endedDaysAgo: number, gradedDaysAgo: number | null) => {
  const { id: examId } = await createExam();
  const now = new Date();
  return seedTraces(api, institution, { examId, endedAt: daysBefore(now, endedDaysAgo), gradedAt: gradedDaysAgo === null ? null : daysBefore(now, gradedDaysAgo) });
};
/** How much is left: recordings and details. */
async function left({ submissionId, attemptId }: Traces): Promise<[recordings: number, details: number]> {
  const { data } = await call('GET', `/submissions/${submissionId}`);
  const [row] = await sql<{ details: number }>('SELECT count(detail)::int AS details FROM attempt_events WHERE attempt_id = $1', [attemptId]);
  return [data.recordings.length, row?.details ?? -1];
}
const auditEntries = async () => {
  const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { actor_id: 'retention' } });
  return data.items.map(({ operation, target }: { operation: string; target: object }) => [operation, target]);
};

it('recordings go 180 days after grading, proctoring details a year after the attempt, and not before', async () => {
  const [recent, graded, old] = [await traces(364, 179), await traces(364, 181), await traces(366, 181)];
  expect(await remove()).toMatchObject({ removed: 1 + 1 + 2, next: null });
  expect([await left(recent), await left(graded), await left(old)]).toEqual([[1, 2], [0, 2], [0, 0]]);
});

it('recordings of a submission that is not graded are kept; those of an attempt that was never submitted go by its end', async () => {
  const ungraded = await traces(400, null);
  const abandoned = await traces(181, null);
  await sql('DELETE FROM submissions WHERE id = $1', [abandoned.submissionId]);
  await remove();
  expect((await left(ungraded))[0]).toBe(1);
  expect(await sql("SELECT status FROM files WHERE attempt_id = $1 AND kind = 'recording'", [abandoned.attemptId])).toEqual([{ status: 'removed' }]);
});

it('types, times and counts of proctoring events stay', async () => {
  const { submissionId } = await traces(366, 1);
  const before = (await call('GET', `/submissions/${submissionId}/events`)).data;
  await remove();
  const after = (await call('GET', `/submissions/${submissionId}/events`)).data;
  expect(after).toEqual({ ...before, events: before.events.map(({ type, at }: { type: string; at: string }) => ({ type, at })) });
});

it('what is removed is in the audit log, with its numbers; a run that removes nothing is not', async () => {
  await traces(366, 181);
  await remove();
  await remove();
  expect(await auditEntries()).toEqual([['removeProctoringDetails', { attempts: '1', removed: '2' }], ['removeRecordings', { attempts: '1', removed: '1' }]]);
});

it('an institution has its own periods, and those of another do not matter', async () => {
  const own = await traces(100, 90);
  await api.platform('PUT', `/institutions/${institution.id}/retention`, { body: { recording_days: 60, proctoring_days: 90 } });
  const now = new Date();
  expect(await institutionsWithOldTraces(api.api.domain, now, institution.id.slice(0, -1), 1)).toEqual([institution.id]);
  await remove();
  expect(await left(own)).toEqual([0, 0]);
  expect(await institutionsWithOldTraces(api.api.domain, now, institution.id.slice(0, -1), 1)).toEqual([]);
});

it('a chunk has at most 20 attempts with recordings and 5 with details; the next one goes on', async () => {
  for (let nth = 0; nth < 6; nth += 1) await traces(366, 181);
  expect(await remove()).toEqual({ removed: 6 + 10, kept: 0, next: { createdAtMs: 0, id: '' } });
  expect(await remove()).toEqual({ removed: 2, kept: 0, next: null });
});

it('attempts that have nothing to be removed are marked in one chunk, any number of them', async () => {
  const old = await traces(366, 181);
  for (let nth = 0; nth < 7; nth += 1) {
    const { attemptId } = await traces(366, 181);
    await sql('UPDATE attempt_events SET detail = NULL WHERE attempt_id = $1', [attemptId]);
    await sql('DELETE FROM files WHERE attempt_id = $1', [attemptId]);
  }
  expect(await remove()).toEqual({ removed: 1 + 2, kept: 0, next: null });
  expect(await left(old)).toEqual([0, 0]);
  expect(await sql('SELECT 1 FROM attempts WHERE institution_id = $1 AND (recordings_removed_at IS NULL OR details_removed_at IS NULL)', [institution.id])).toEqual([]);
});
