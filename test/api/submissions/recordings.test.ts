import { randomBytes } from 'node:crypto';
import type { AuthenticatedKey } from '../../../api/http/access';
import { isFileResponse, type OperationRecord } from '../../../api/http/operation';
import { publicOperations } from '../../../api/operations/public';
import { scopes } from '../../../domain/scopes';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { exampleBodyOf, pathOf, sendOperation } from '../../support/operations';
import { pathParameterKinds, type ResourceKind } from '../../support/resourceFactories';
import { multipart, multipartType, sha256 } from '../../support/uploads';

// Recordings are for keys with submissions:write alone. These tests range over the records: an operation that is added
// is asked, too.

const fixture = appFixture();
const { studentWithAttempt, callAs, submit } = fixture;

type PublicRecord = OperationRecord<AuthenticatedKey>;

/** A submission that was recorded, and who asks. */
interface Traces {
  ids: Partial<Record<ResourceKind, string>>;
  /** Everything that shows a recording: its field, its id (which its URL has, too), its name, its digest. */
  texts: string[];
  /** A key of every scope but submissions:write, and one of every scope. */
  reader: string;
  writer: string;
}

const all = scopes.map(({ scope }) => scope);
const isOfSubmissions = ({ access }: PublicRecord): boolean => access.by === 'key' && access.scope?.startsWith('submissions:') === true;
/** What is asked: all that reads, and all that is done with submissions. */
const asked = publicOperations.filter((record) => record.method === 'GET' || isOfSubmissions(record));
const showsRecordings = ({ response }: PublicRecord): boolean => !isFileResponse(response) && Reflect.has(Object(response.describe().keys), 'recordings');

async function upload(who: SignedInStudent, attemptId: string, kind: 'attachment' | 'recording', filename: string, bytes: Buffer): Promise<string> {
  const response = await fetch(`${fixture.api.platformUrl}/app/attempts/${attemptId}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.session}`, 'content-type': multipartType },
    body: new Uint8Array(multipart({ name: 'kind', bytes: kind }, { name: 'file', filename, type: 'video/webm', bytes })),
  });
  const { data }: { data: { ref: string } } = JSON.parse(await response.text());
  return data.ref;
}

/** A submission with an attachment and two recorded segments, and two keys of its institution. */
async function recorded(): Promise<Traces> {
  const { who, examId, attemptId } = await studentWithAttempt();
  const segments = [randomBytes(100), randomBytes(100)];
  const recordings = [];
  for (const [nth, bytes] of segments.entries()) recordings.push(await upload(who, attemptId, 'recording', `sensitive-segment-${nth}.webm`, bytes));
  const attachment = await upload(who, attemptId, 'attachment', 'essay.pdf', randomBytes(100));
  await callAs(who, 'POST', `/app/attempts/${attemptId}/events`, { events: [{ id: '1', type: 'segment_uploaded', at: new Date().toISOString() }] });
  const { data, status } = await submit(who, attemptId, { text: 'Done', attachments: [{ file: { id: attachment }, name: 'essay.pdf' }] });
  expect(status).toBe(200);
  const { api, institution } = fixture;
  return {
    ids: { submission: data.id, exam: examId, student: who.id, faculty: institution.adminId },
    texts: ['"recordings"', 'sensitive-segment', ...recordings, ...segments.map(sha256)],
    reader: await api.keyFor(institution, all.filter((scope) => scope !== 'submissions:write')),
    writer: await api.keyFor(institution, all),
  };
}

const pathFor = ({ path }: PublicRecord, ids: Traces['ids']): string =>
  pathOf(path, Object.fromEntries(pathParameterKinds(path).flatMap(([parameter, kind]) => (kind !== undefined && ids[kind] !== undefined ? [[parameter, ids[kind]]] : []))));

/** An answer without what a moment changes. */
const still = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (name, inner: unknown) => (['url', 'url_expires_at', 'recordings'].includes(name) ? undefined : inner)));

/** Which traces each operation answers a key, by the operation. */
async function shown(of: Traces, key: string, records: readonly PublicRecord[]): Promise<Record<string, string[]>> {
  const { api } = fixture;
  const answers: Record<string, string[]> = {};
  for (const record of records) {
    const { body } = await sendOperation(api, record, pathFor(record, of.ids), key, { ...exampleBodyOf(api.served, record), graded_by: undefined });
    const text = JSON.stringify(body);
    answers[record.operationId] = of.texts.filter((trace) => text.includes(trace));
  }
  return answers;
}

// Contract: privacy.recording-urls.submissions-write-only, submissions.get.recording-urls-by-scope, scopes.submissions.write-unlocks-recordings
it('a key without submissions:write sees no recording, in any operation: no field, no URL, no id, no name', async () => {
  const of = await recorded();
  expect(await shown(of, of.reader, asked)).toEqual(Object.fromEntries(asked.map(({ operationId }) => [operationId, []])));
});

// Contract: privacy.recording-urls.submissions-write-only, submissions.get.recording-urls-by-scope, scopes.submissions.write-unlocks-recordings
it('a key with it sees them, in every operation that says so in its schema, and in no other', async () => {
  const of = await recorded();
  const tellers = asked.filter(showsRecordings);
  expect(tellers.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(['getSubmission', 'gradeSubmission', 'voidSubmission']));
  const expected = asked.map((record): [string, string[]] => [record.operationId, showsRecordings(record) ? of.texts : []]);
  expect(await shown(of, of.writer, asked)).toEqual(Object.fromEntries(expected));
});

it('both keys are answered the same in every other field', async () => {
  const of = await recorded();
  const reads = asked.filter((record) => isOfSubmissions(record) && record.method === 'GET');
  expect(reads.length).toBeGreaterThan(5);
  for (const record of reads) {
    const path = pathFor(record, of.ids);
    const [byReader, byWriter] = await Promise.all([of.reader, of.writer].map((key) => fixture.api.call('GET', path, { key })));
    expect([record.operationId, byReader?.status, still(byReader?.body)]).toEqual([record.operationId, 200, still(byWriter?.body)]);
  }
});
