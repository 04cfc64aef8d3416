import { codeSpecBounds } from '../../../domain/exams/limits';
import { toolchains } from '../../../db/entities/institution';
import { errorSummary } from '../../support/responses';
import type { ApiResponse } from '../../support/api';
import { base64, fullSpec } from '../../support/codingExams';
import { apiFixture } from '../../support/apiFixture';
import { withFields, type Fields } from '../../support/withFields';
import { readDocument } from '../../support/documents';

const { api, institution } = apiFixture({ institutionPer: 'file' });
let draft: string;

beforeAll(async () => {
  draft = (await create(fullSpec)).data.id;
});

const create = (code_spec: unknown): Promise<ApiResponse> =>
  api.call('POST', '/exams', { key: institution.apiKey, body: { faculty_id: institution.adminId, title: 'Sum', publish: false, code_spec } });
const patch = (body: object): Promise<ApiResponse> => api.call('PATCH', `/exams/${draft}`, { key: institution.apiKey, body });
const get = async () => (await api.call('GET', `/exams/${draft}`, { key: institution.apiKey })).data;
const long = (characters: number): string => 'x'.repeat(characters);
const inline = (...files: unknown[]): object => ({ kind: 'inline', files });
const hidden = { kind: 'zip-encrypted', file: { id: 'file_unknown' }, iv_b64: base64(12), sha256: '0'.repeat(64) };

/** Fields of the spec as they are sent, by dotted path, and where the issues are: at these fields by default. */
type Wrong = [what: string, sent: Fields, issues?: string[]];

const missing = (...paths: string[]): Wrong[] => paths.map((path) => [`no ${path}`, { [path]: undefined }]);
const notA = (type: string, values: unknown[], paths: string[]): Wrong[] =>
  paths.flatMap((path) => values.map((value): Wrong => [`${JSON.stringify(value)} as ${path}, which is no ${type}`, { [path]: value }]));

const texts = ['brief_md', 'commands.setup', 'commands.run', 'commands.test_sample', 'commands.test_hidden', 'rubric_md'];

const wrong: Wrong[] = [
  ...missing('v', 'brief_md', 'toolchain', 'starter.kind', 'sample_tests.kind', 'sample_tests.files', 'sample_tests.files.0.path', 'sample_tests.files.0.content', 'commands', 'ai_policy.allowed'),
  ...notA('object', ['zip', 1, [], true], ['starter', 'sample_tests', 'hidden_tests', 'commands', 'ai_policy', 'sample_tests.files.0']),
  ...notA('object', [null], ['starter', 'commands', 'sample_tests.files.0']),
  ...notA('text', [1, {}, false, [], ''], texts),
  ...notA('text', [null], ['brief_md', 'toolchain', 'starter.kind', 'sample_tests.files.0.content', 'exclude_globs.0']),
  ...notA('list', [{}, 'a', 1, null], ['sample_tests.files', 'exclude_globs']),
  ...notA('whole number', ['1000', 1_000.5, {}], ['v', 'commands.timeout_ms']),
  ...[0, 2, -1, null].map((v): Wrong => [`v ${v}`, { v }]),
  ['a blank brief', { brief_md: ' \n' }],
  ['a brief that is too long', { brief_md: long(codeSpecBounds.markdown + 1) }],
  ['a rubric that is too long', { rubric_md: long(codeSpecBounds.markdown + 1) }],
  ['a brief with a control character', { brief_md: 'a\u0000b' }],
  ['a command that is too long', { 'commands.run': long(codeSpecBounds.command + 1) }],
  ['commands with a control character', { 'commands.setup': 'a\u0007', 'commands.test_hidden': 'a\u0000' }],
  ...[0, 999, 600_001, -1_000].map((ms): Wrong => [`a timeout of ${ms} ms`, { 'commands.timeout_ms': ms }]),
  ...['rust', 'Python', ' python', ''].map((toolchain): Wrong => [`the toolchain '${toolchain}'`, { toolchain }]),
  ...['tar', 'inline', 'zip-encrypted', 'Zip', 1].map((kind): Wrong => [`a starter of kind ${kind}`, { starter: { kind } }, ['starter.kind']]),
  ...['empty', 'zip-encrypted', null].map((kind): Wrong => [`sample tests of kind ${kind}`, { sample_tests: { kind } }, ['sample_tests.kind']]),
  ...['zip', 'inline', null, undefined].map((kind): Wrong => [`hidden tests of kind ${kind}`, { hidden_tests: { ...hidden, kind } }, ['hidden_tests.kind']]),
  ['a starter zip without a file', { starter: { kind: 'zip' } }, ['starter.file']],
  ['an empty starter with a file', { starter: { kind: 'empty', file: { id: 'file_1' } } }, ['starter.file']],
  ['a file that is neither an object nor a ref', { starter: { kind: 'zip', file: 7 } }, ['starter.file']],
  ['a file without its id', { starter: { kind: 'zip', file: {} }, sample_tests: { kind: 'zip', file: { ref: 'a' } } }, ['sample_tests.file.id', 'sample_tests.file.ref', 'starter.file.id']],
  ['files of both kinds', { sample_tests: { kind: 'zip', file: { id: 'file_1' }, files: [] } }, ['sample_tests.files']],
  ['a zip of sample tests without a file', { sample_tests: { kind: 'zip' } }, ['sample_tests.file']],
  ['no inline file', { 'sample_tests.files': [] }],
  ['hidden tests without anything', { hidden_tests: { kind: 'zip-encrypted' } }, ['hidden_tests.file', 'hidden_tests.iv_b64', 'hidden_tests.sha256']],
  ['the key among the hidden tests', { hidden_tests: { ...hidden, key: base64(32) } }, ['hidden_tests.key']],
  ...[11, 13, 0, 32].map((bytes): Wrong => [`an initialisation vector of ${bytes} bytes`, { hidden_tests: { ...hidden, iv_b64: base64(bytes) } }, ['hidden_tests.iv_b64']]),
  ...['AAECAwQFBgcICQo=', 'AAECAwQFBgcICQ==', 'AAECAwQFBgcI CQoL', ' AAECAwQFBgcICQoL', 'AAECAwQFBgcICQoL\n', 'AAECAwQF-_cICQoL', 'AAECAwQFBgcICQoL====', 12, null].map(
    (iv_b64): Wrong => [`${JSON.stringify(iv_b64)} as initialisation vector`, { hidden_tests: { ...hidden, iv_b64 } }, ['hidden_tests.iv_b64']],
  ),
  ...['0'.repeat(63), '0'.repeat(65), `${'0'.repeat(63)}g`, ` ${'0'.repeat(64)}`, `${'0'.repeat(64)}\n`, 0].map(
    (sha256): Wrong => [`${JSON.stringify(sha256)} as digest`, { hidden_tests: { ...hidden, sha256 } }, ['hidden_tests.sha256']],
  ),
  ['an unknown model tier', { 'ai_policy.model_tier': 'huge' }],
  ['a budget, which is the exam\'s', { 'ai_policy.max_interactions': 3 }],
  ['101 globs', { exclude_globs: Array.from({ length: 101 }, (_, n) => `*.${n}`) }],
  ['globs that are no texts', { exclude_globs: ['*.o', 1, '', 'a\nb', long(256)] }, ['exclude_globs.1', 'exclude_globs.2', 'exclude_globs.3', 'exclude_globs.4']],
  ['fields that nobody knows', { key: 1, 'commands.build': 'make', 'sample_tests.files.0.mode': 7, 'ai_policy.x': 1 }],
  ['several of these at once', { v: 2, toolchain: 'rust', 'commands.timeout_ms': 1, 'sample_tests.files.0.path': '/', exclude_globs: 'a', brief_md: undefined }],
];

describe('a coding spec is refused, each problem by its path, with', () => {
  // Contract: code-spec.fields.v, code-spec.fields.toolchain, code-spec.fields.hidden-tests, code-spec.commands.timeout-ms
  // Contract: code-spec.fields.ai-policy, hidden-tests.key.never-in-spec, limits.code-spec.timeout-ms, limits.hidden-tests.iv-12-bytes
  it.each(wrong)('%s', async (_what, sent, issues = Object.keys(sent)) => {
    const code_spec = withFields(fullSpec, sent);
    const expected = [422, 'validation_error', issues.map((path) => `code_spec.${path}`).sort()];
    expect(errorSummary(await create(code_spec))).toEqual(expected);
    expect(errorSummary(await patch({ code_spec }))).toEqual(expected);
  });

  it.each([[[]], ['spec'], [1], [true]])('%j in its place', async (code_spec) => {
    expect(errorSummary(await create(code_spec))).toEqual([422, 'validation_error', ['code_spec']]);
  });

  it('a key in place of the initialisation vector, which the error does not repeat', async () => {
    const key = base64(32, 201);
    const { status, body } = await create({ ...fullSpec, hidden_tests: { ...hidden, iv_b64: key } });
    expect([status, JSON.stringify(body)]).toEqual([422, expect.not.stringContaining(key)]);
  });
});

describe('the paths of inline files', () => {
  const refused = [
    '', ' ', '.', '..', '/', '/etc/passwd', '//a', './a', '../a', 'a/../b', 'a/..', 'a/.', 'a/./b', 'a//b', 'a/', 'a/ /b', 'a\\b', '..\\a', 'C:/a', 'c:a', 'C:',
    'a\u0000b', 'a\nb', 'a\u007f', 'a\u009f', '\ud800', long(256), 1, null, ['a'],
  ];
  // Contract: code-spec.sample-tests.safe-relative-paths
  it.each(refused.map((path) => [JSON.stringify(path), path] as const))('are relative and plain: %s is refused', async (_name, path) => {
    expect(errorSummary(await patch({ code_spec: { ...fullSpec, sample_tests: inline({ path: 'first', content: '' }, { path, content: '' }) } }))).toEqual([
      422, 'validation_error', ['code_spec.sample_tests.files.1.path'],
    ]);
  });

  it('may be anything else', async () => {
    const paths = ['a', 'a/b/c.py', '...', '.gitignore', '..a', 'a..', 'a b/ c', 'grüße/漢.txt', "a'b\"%s{{workspace}}$(x)", long(255)];
    const { status, data } = await patch({ code_spec: { ...fullSpec, sample_tests: inline(...paths.map((path) => ({ path, content: '' }))) } });
    expect([status, data.code_spec.sample_tests.files.map(({ path }: { path: string }) => path)]).toEqual([200, paths]);
  });

  it('are each one file: the second of a name is refused where it stands', async () => {
    const files = ['a', 'b', 'a', 'b', 'c'].map((path) => ({ path, content: '' }));
    expect(errorSummary(await patch({ code_spec: { ...fullSpec, sample_tests: inline(...files) } }))).toEqual([
      422, 'validation_error', ['code_spec.sample_tests.files.2.path', 'code_spec.sample_tests.files.3.path'],
    ]);
  });

  it('that are missing are no duplicates of each other', async () => {
    expect(errorSummary(await patch({ code_spec: { ...fullSpec, sample_tests: inline({ content: '' }, { content: '' }) } }))).toEqual([
      422, 'validation_error', ['code_spec.sample_tests.files.0.path', 'code_spec.sample_tests.files.1.path'],
    ]);
  });

  it('and contents of things that are no files: one issue each, at its place', async () => {
    expect(errorSummary(await patch({ code_spec: { ...fullSpec, sample_tests: inline(null, 1, 'a', [], null) } }))).toEqual([
      422, 'validation_error', [0, 1, 2, 3, 4].map((n) => `code_spec.sample_tests.files.${n}`),
    ]);
  });
});

describe('inline files', () => {
  const filled = (count: number, bytes: number) => Array.from({ length: count }, (_, n) => ({ path: `f${n}`, content: long(bytes) }));
  const answered = async (files: object[]) => {
    const answer = await patch({ code_spec: { ...fullSpec, sample_tests: inline(...files) } });
    return answer.status === 200 ? [200] : errorSummary(answer);
  };
  const tooMuch = [422, 'validation_error', ['code_spec.sample_tests.files']];

  it('are 200 at most', async () => {
    expect([await answered(filled(200, 1)), await answered(filled(201, 1))]).toEqual([[200], tooMuch]);
  });

  it('have 1 MiB of UTF-8 in all, to the byte', async () => {
    const half = 512 * 1024;
    expect(await answered(filled(2, half))).toEqual([200]);
    expect(await answered([...filled(2, half), { path: 'more', content: '.' }])).toEqual(tooMuch);
    expect(await answered([{ path: 'wide', content: 'ß'.repeat(half) }])).toEqual([200]);
    expect(await answered([{ path: 'wide', content: `${'ß'.repeat(half)}.` }])).toEqual(tooMuch);
  });

  it('keep their content byte for byte', async () => {
    const contents = ['', ' ', '\n', '  \tdef a():\r\n\treturn 1\r\n\r\n  ', '\ufeffx', 'e\u0301 \u00e9 漢 😀', '{{workspace}}', '\u2028'];
    const sent = contents.map((content, n) => ({ path: `f${n}`, content }));
    await patch({ code_spec: { ...fullSpec, sample_tests: inline(...sent) } });
    expect((await get()).code_spec.sample_tests).toEqual({ kind: 'inline', files: sent });
  });

  it.each(['\u0000', '\u0007', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085', '\ud800'].map((character) => [JSON.stringify(character), character]))('have no %s', async (_name, character) => {
    expect(await answered([{ path: 'a', content: `a${character}b` }])).toEqual([422, 'validation_error', ['code_spec.sample_tests.files.0.content']]);
  });
});

describe('a coding spec', () => {
  // Contract: code-spec.fields.v, code-spec.fields.brief-md, code-spec.starter.empty
  it('has its commands as written, of several lines too', async () => {
    const script = 'set -e\n\tgcc {{workspace}}/*.c -o a 2>&1 | tee "{{results}}/log"\r\n./a && echo \'done\'';
    const commands = { setup: script, run: script, test_sample: script, test_hidden: script };
    const { status, data } = await create({ v: 1, brief_md: 'b', toolchain: 'c', commands });
    expect([status, data.code_spec.commands]).toEqual([200, { ...commands, timeout_ms: 60_000 }]);
    expect(readDocument('docs/exams.md')).toContain('may have several lines. The app runs them as written: nothing checks, quotes or joins them');
  });

  it('needs version, brief, toolchain and commands; the rest has defaults', async () => {
    const { status, data } = await create({ v: 1, brief_md: ' brief ', toolchain: 'c', commands: {} });
    expect([status, data.app, data.code_spec]).toEqual([
      200,
      'svccode',
      {
        v: 1, brief_md: 'brief', toolchain: 'c', starter: { kind: 'empty' }, sample_tests: null, hidden_tests: null,
        commands: { setup: null, run: null, test_sample: null, test_hidden: null, timeout_ms: 60_000 },
        ai_policy: null, rubric_md: null, exclude_globs: [],
      },
    ]);
  });

  // Contract: code-spec.commands.timeout-ms, limits.code-spec.timeout-ms
  it.each([[1_000], [600_000]])('may let a command run for %d ms', async (timeout_ms) => {
    expect((await create(withFields(fullSpec, { 'commands.timeout_ms': timeout_ms }))).data.code_spec.commands.timeout_ms).toBe(timeout_ms);
  });

  it('may have 100 globs', async () => {
    const exclude_globs = Array.from({ length: 100 }, (_, n) => `*.${n}`);
    expect((await create({ ...fullSpec, exclude_globs })).data.code_spec.exclude_globs).toEqual(exclude_globs);
  });

  it.each(toolchains.map((toolchain) => [toolchain]))('may name the toolchain %s', async (toolchain) => {
    expect((await create({ ...fullSpec, toolchain })).data.code_spec.toolchain).toBe(toolchain);
  });

  // Contract: code-spec.fields.brief-md, code-spec.sample-tests.inline, code-spec.fields.commands, code-spec.fields.ai-policy
  // Contract: code-spec.fields.rubric-md, code-spec.fields.exclude-globs
  it('is answered in full where a single exam is, and by no list', async () => {
    await patch({ code_spec: fullSpec });
    expect((await get()).code_spec).toEqual(fullSpec);
    const { data } = await api.call('GET', '/exams', { key: institution.apiKey });
    expect(JSON.stringify(data)).not.toContain('code_spec');
  });

  it('can be sent back as it was answered', async () => {
    await patch({ code_spec: fullSpec });
    const { code_spec } = await get();
    expect((await patch({ code_spec })).data.code_spec).toEqual(code_spec);
  });

  it('is replaced whole by a PATCH', async () => {
    await patch({ code_spec: fullSpec });
    const { data } = await patch({ code_spec: { v: 1, brief_md: 'b', toolchain: 'sqlite', commands: { run: 'x' } } });
    expect([data.code_spec.rubric_md, data.code_spec.sample_tests, data.code_spec.commands.setup]).toEqual([null, null, null]);
  });

  it('taken away leaves a document exam, and one given makes a coding exam again', async () => {
    expect([(await patch({ code_spec: null })).data.app, (await get()).code_spec, (await patch({ code_spec: fullSpec })).data.app]).toEqual(['svc', null, 'svccode']);
  });

  it('left out of a PATCH stays', async () => {
    await patch({ code_spec: fullSpec });
    expect((await patch({ title: 'Sum up' })).data.code_spec).toEqual(fullSpec);
  });
});
