import { openRawConnection, requestHead } from '../../support/rawHttp';
import type { ApiResponse } from '../../support/api';
import { seedExam } from '../../support/seed/exams';
import { apiFixture } from '../../support/apiFixture';
import { closingBoundary, storedFiles, multipart, multipartType, partHeader, sendUpload, sha256, upload, zipOf, type Part } from '../../support/uploads';

const maxBytes = 70_000;

const { api, institution } = apiFixture({ institutionPer: 'file', settings: () => ({ maxUploadBytes: maxBytes }) });
let examId: string;

beforeAll(async () => {
  examId = await seedExam(api, institution, { status: 'draft' });
});

const send = (...parts: Part[]): Promise<ApiResponse> => upload(api, institution.apiKey, examId, ...parts);
const rows = async () => (await api.api.domain.database.sql('SELECT 1 FROM files WHERE institution_id = $1', [institution.id])).length;
const issuesOf = ({ status, body }: ApiResponse): unknown => [status, body.error, body.issues];
const refused = (...issues: [path: string, message: string][]): unknown => [422, 'validation_error', issues.map(([path, message]) => ({ path, message }))];

/** A request that must leave nothing behind, neither file nor row. */
async function withoutTrace(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const before = [storedFiles(api.settings), await rows()];
  const answer = await request();
  expect([storedFiles(api.settings), await rows()]).toEqual(before);
  return answer;
}

// Contract: service.bodies.json-except-upload, exams.files.multipart-part-file, exams.files.ref-usable-in-code-spec
it('a file is kept with its name, size, digest and type, and its bytes are in the store', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 0, 13, 10, 45, 45, 98, 101, 116]);
  const { status, data } = await send(zipOf(bytes));
  const id = data.ref;
  expect([status, data]).toEqual([200, {
    ref: expect.stringMatching(/^file_[0-9a-z]{26}$/), file: { id }, filename: 'starter.zip', size: 14, sha256: sha256(bytes), content_type: 'application/zip',
  }]);
  const chunks: Buffer[] = [];
  for await (const chunk of await api.api.domain.files.open(id)) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(storedFiles(api.settings).spooled).toEqual([]);
  const [row] = await api.api.domain.database.sql('SELECT status, exam_id, institution_id FROM files WHERE id = $1', [id]);
  expect(row).toEqual({ status: 'stored', exam_id: examId, institution_id: institution.id });
});

// Contract: exams.files.multipart-part-file
describe('a body that is not one whole file is refused, and nothing of it is kept', () => {
  const bad: [string, () => Part[], [string, string][]][] = [
    ['no part', () => [], [['file', 'file is required']]],
    ['a part of another name', () => [zipOf('x', { name: 'zip' })], [['file', 'file is required'], ['zip', 'zip is not a known field; known: file']]],
    ['a text instead of a file', () => [{ name: 'file', bytes: 'x' }], [['file', 'file must be a file, with a filename']]],
    ['two files', () => [zipOf('x'), zipOf('y')], [['file', 'file must be given once']]],
    ['a file and another', () => [zipOf('x'), zipOf('y', { name: 'other' })], [['other', 'other is not a known field; known: file']]],
    ['a file and a text', () => [{ name: 'kind', bytes: 'zip' }, zipOf('x')], [['kind', 'kind is not a known field; known: file']]],
    ['an empty file', () => [zipOf('')], [['file', 'file must not be empty']]],
    ['a file without a name', () => [zipOf('x', { filename: '' })], [['file', 'file must have a filename']]],
    ['a file named like a folder', () => [zipOf('x', { filename: 'a/..' })], [['file', 'file must have a filename']]],
    ['a file with a name too long', () => [zipOf('x', { filename: 'n'.repeat(256) })], [['file', 'file must have a filename of at most 255 characters']]],
  ];

  it.each(bad)('%s', async (_name, parts, issues) => {
    expect(issuesOf(await withoutTrace(() => send(...parts())))).toEqual(refused(...issues));
  });

  it('more parts than anybody means', async () => {
    const answer = await withoutTrace(() => send(...Array.from({ length: 40 }, (_, index) => ({ name: `p${index}`, bytes: 'x' }))));
    expect(answer.body.issues).toContainEqual({ path: 'body', message: 'must have one part' });
    expect(answer.body.issues.length).toBeLessThanOrEqual(20);
  });

  const asMultipart = 'must be sent with Content-Type multipart/form-data and its boundary';
  const whole = 'must be multipart/form-data, and whole';
  const bodies: [string, () => Buffer, Record<string, string>, string][] = [
    ['JSON', () => Buffer.from('{}'), { 'content-type': 'application/json' }, asMultipart],
    ['a form', () => Buffer.from('file=x'), { 'content-type': 'application/x-www-form-urlencoded' }, asMultipart],
    ['a type without boundary', () => multipart(zipOf('x')), { 'content-type': 'multipart/form-data; charset=utf-8' }, asMultipart],
    ['nothing but a type', () => multipart(zipOf('x')), { 'content-type': 'multipart/form-data' }, asMultipart],
    ['a compressed body', () => multipart(zipOf('x')), { 'content-encoding': 'gzip' }, 'must be sent without Content-Encoding'],
    ['another boundary', () => multipart(zipOf('x')), { 'content-type': 'multipart/form-data; boundary=other' }, whole],
    ['bytes that are no parts', () => Buffer.from('nothing of it'), {}, whole],
    ['no closing boundary', () => multipart(zipOf('x')).subarray(0, -closingBoundary.length), {}, whole],
    ['an end within the file', () => multipart(zipOf(Buffer.alloc(40_000))).subarray(0, 20_000), {}, whole],
    ['an end within the head of a part', () => multipart(zipOf('x')).subarray(0, 40), {}, whole],
  ];

  it.each(bodies)('%s', async (_name, body, headers, message) => {
    expect(issuesOf(await withoutTrace(() => sendUpload(api.baseUrl, institution.apiKey, examId, body(), headers)))).toEqual(refused(['body', message]));
  });

  it('no body at all', async () => {
    expect(issuesOf(await api.call('POST', `/exams/${examId}/files`, { key: institution.apiKey }))).toEqual(refused(['body', asMultipart]));
  });
});

describe('the name of a file', () => {
  const names: [sent: string, kept: string][] = [
    ['C:\\Users\\ada\\starter.zip', 'starter.zip'],
    ['../../etc/passwd', 'passwd'],
    ['Übung 漢字 \u{1f600}.zip', 'Übung 漢字 \u{1f600}.zip'],
    ['a\tb\u0007c.zip', 'abc.zip'],
    ['exam\u202epiz.exe', 'exampiz.exe'],
    [' spaced name .zip ', 'spaced name .zip'],
    ['n'.repeat(255), 'n'.repeat(255)],
    ['.hidden', '.hidden'],
  ];
  it.each(names)('%j is kept as %j', async (filename, kept) => {
    const { status, data } = await send(zipOf('x', { filename }));
    expect([status, data?.filename]).toEqual([200, kept]);
  });
});

describe('the content type of a file', () => {
  const types: [sent: string | undefined, kept: string][] = [
    ['Application/ZIP', 'application/zip'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['text', 'application/octet-stream'],
    ['text/"quoted"', 'application/octet-stream'],
    [`text/${'x'.repeat(200)}`, 'application/octet-stream'],
    ['', 'text/plain'],
  ];
  it.each(types)('%j is kept as %j', async (type, kept) => {
    const { status, data } = await send(type === undefined ? { name: 'file', filename: 'a', bytes: 'x' } : zipOf('x', { type }));
    expect([status, data?.content_type]).toEqual([200, kept]);
  });
});

describe('a file over the limit', () => {
  it('by one byte is file_too_large and leaves nothing; one of the limit passes', async () => {
    const { status, body } = await withoutTrace(() => send(zipOf(Buffer.alloc(maxBytes + 1))));
    expect([status, body.error]).toEqual([422, 'file_too_large']);
    expect((await send(zipOf(Buffer.alloc(maxBytes)))).data.size).toBe(maxBytes);
  });

  it('is read to its end, so that a client that sends everything first reads the answer', async () => {
    const { socket, response } = await openRawConnection(api.api.port);
    const length = 30 * 1024 * 1024;
    const headers = { authorization: `Bearer ${institution.apiKey}`, 'content-type': multipartType, 'content-length': length };
    socket.write(requestHead('POST', `/v1/exams/${examId}/files`, headers));
    const head = Buffer.from(partHeader(zipOf('')));
    socket.write(head);
    const chunk = Buffer.alloc(1024 * 1024);
    for (let left = length - head.length; left > 0; left -= chunk.length) {
      const sent = chunk.subarray(0, Math.min(left, chunk.length));
      if (!socket.write(sent)) await new Promise((resolve) => socket.once('drain', resolve));
    }
    const received = await response;
    expect([received?.status, received?.body.error]).toEqual([422, 'file_too_large']);
    expect(storedFiles(api.settings).spooled).toEqual([]);
  });
});
