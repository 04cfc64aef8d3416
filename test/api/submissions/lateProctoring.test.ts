import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { idsOf } from '../../support/responses';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { multipart, multipartType } from '../../support/uploads';

const { api, sql, call, callAs, listAt, studentWithAttempt, submit, startAttempt } = appFixture();
const event = (id: string) => ({ id, type: 'focus_gained', at: '2026-11-20T09:30:00.000Z', detail: { away_seconds: 1.5 } });
const send = (who: SignedInStudent, attemptId: string, ...ids: string[]) => callAs(who, 'POST', `/app/attempts/${attemptId}/events`, { events: ids.map(event) });
const read = async (id: string) => (await call('GET', `/submissions/${id}`)).data;
const since = async (moment: string) => idsOf(await listAt('/submissions', { since: moment }));

/** Uploads a recording; the body ends so many ms after it began. Answers the status. */
async function record({ session }: SignedInStudent, attemptId: string, lastsMs = 0): Promise<number> {
  const body = multipart({ name: 'kind', bytes: 'recording' }, { name: 'file', filename: 'segment.webm', type: 'video/webm', bytes: 'hello' });
  const headers = { authorization: `Bearer ${session}`, 'content-type': multipartType, 'content-length': body.length };
  const sending = request(`${api.platformUrl}/app/attempts/${attemptId}/files`, { method: 'POST', headers });
  const answered = new Promise<number>((resolve, reject) => sending.once('error', reject).once('response', (response) => resolve(response.resume().statusCode ?? 0)));
  sending.write(body.subarray(0, 200));
  await pause(lastsMs);
  sending.end(body.subarray(200));
  return answered;
}

/** A submission last changed an hour ago, and its attempt. */
async function submitted() {
  const { who, attemptId, examId } = await studentWithAttempt();
  await send(who, attemptId, 'early');
  const { id } = (await submit(who, attemptId)).data;
  await sql("UPDATE submissions SET updated_at = updated_at - interval '1 hour' WHERE id = $1", [id]);
  return { who, attemptId, examId, id, seen: (await read(id)).updated_at as string };
}

it('finds a submission again by `since` when events of its attempt come after it, and not when they come once more', async () => {
  const { who, attemptId, id, seen } = await submitted();
  expect((await send(who, attemptId, 'early')).data).toEqual({ stored: 0, repeated: 1 });
  expect(await since(seen)).toEqual([]);
  expect((await send(who, attemptId, 'early', 'late')).data).toEqual({ stored: 1, repeated: 1 });
  expect(await since(seen)).toEqual([id]);
  expect(await read(id)).toMatchObject({ proctoring: { seconds_away: 3 } });
});

it('finds a submission again by `since` when a recording of its attempt comes after it', async () => {
  const { who, attemptId, id, seen } = await submitted();
  expect(await record(who, attemptId)).toBe(200);
  expect(await since(seen)).toEqual([id]);
  expect(await read(id)).toMatchObject({ proctoring: { segments: 1 } });
});

it('dates the change by the moment at which the recording had come, not by that at which it began to', async () => {
  const { who, attemptId, id } = await submitted();
  const began = Date.now();
  expect(await record(who, attemptId, 1_000)).toBe(200);
  expect(Date.parse((await read(id)).updated_at)).toBeGreaterThanOrEqual(began + 1_000);
});

it('never takes a change back, and touches no other version', async () => {
  const { who, attemptId, examId, id: first } = await submitted();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await sql("UPDATE submissions SET status = 'resubmission_required', updated_at = $2 WHERE id = $1", [first, later]);
  const { id: second } = (await submit(who, await startAttempt(who, examId))).data;
  const { updated_at: secondSeen } = await read(second);
  await send(who, attemptId, 'late');
  await record(who, attemptId);
  expect([(await read(first)).updated_at, (await read(second)).updated_at]).toEqual([later, secondSeen]);
});

it('loses no change to a grade that is given at the same time', async () => {
  const { who, attemptId, id } = await submitted();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, nth) => [send(who, attemptId, `late-${nth}`), call('POST', `/submissions/${id}/grade`, { score: nth })]).flat(),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await read(id)).toMatchObject({ status: 'graded', proctoring: { seconds_away: 16.5 } });
});
