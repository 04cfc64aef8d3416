import Joi from 'joi';
import { filePathError } from '../../../lib/relativePath';
import { codeSpecBounds, hiddenTests } from '../../../domain/exams/limits';
import { toolchains } from '../../../db/entities/institution';
import { discriminatedUnion } from '../../http/request/discriminatedUnion';
import { sha256, base64Of, isLonger, reference, text, untrimmedText, wholeNumber } from '../../http/request/fields';
import { aiPolicyFields } from './policies.schemas';

const { markdown, command: commandLength, timeoutMs, inlineFiles, excludeGlobs } = codeSpecBounds;

const fileId = reference().required().description("The `id` of the upload's response.").example('file_01jd4k6f2mep2s5xg5yhc8m1zr');

const file = Joi.object({ id: fileId }).required().description('A file uploaded through POST /exams/{id}/files, of this or another exam.');

const joiWithFileRefs = Joi.extend({
  type: 'object',
  base: Joi.object(),
  coerce: { from: 'string', method: (ref: string) => ({ value: { id: ref } }) },
}) as Joi.Root;

/** In a body: `file` of an upload's response unchanged, or only its `ref` (section Exams (coding), POST /exams/{id}/files). */
const fileOrRef = joiWithFileRefs
  .object({ id: fileId })
  .required()
  .prefs({ convert: true })
  .meta({ documentedAs: Joi.alternatives(file, fileId.description('The `ref` of such a file.')).required().description('The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.').example({ id: 'file_01jd4k6f2mep2s5xg5yhc8m1zr' }) });

/** Returns the items of a list that is not yet validated; empty if it is not a list. */
const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a field of a file that is not yet validated, if it is a text. */
const stringField = (file: unknown, field: 'path' | 'content'): string | undefined => {
  const found: unknown = typeof file === 'object' && file !== null ? Reflect.get(file, field) : undefined;
  return typeof found === 'string' ? found : undefined;
};

/** Whether an earlier file of the list has the same path. */
function isDuplicatePath(value: string, { path: pathSegments = [], ancestors }: Joi.State): boolean {
  const files = toArray(toArray(ancestors)[1]);
  return files.slice(0, Number(pathSegments.at(-2))).some((file) => stringField(file, 'path') === value);
}

const filePath = Joi.string()
  .custom((value: string, helpers) => {
    if (isLonger(value, inlineFiles.path)) return helpers.error('string.max', { limit: inlineFiles.path });
    const fault = filePathError(value) ?? (isDuplicatePath(value, helpers.state) ? 'is the path of another file' : undefined);
    return fault === undefined ? value : helpers.message({ custom: `{{#label}} ${fault}` });
  })
  .meta({ jsonSchema: { maxLength: inlineFiles.path } })
  .description('Relative, with `/` between its parts and no `..`; no two files have the same.')
  .example('tests/test_sum.py');

/** Rejects inline files that are too large in total. */
function checkTotalBytes<File>(files: File[], helpers: Joi.CustomHelpers): File[] | Joi.ErrorReport {
  const bytes = files.reduce<number>((sum, file) => sum + Buffer.byteLength(stringField(file, 'content') ?? ''), 0);
  return bytes <= inlineFiles.bytes ? files : helpers.message({ custom: `{{#label}} must be at most ${inlineFiles.bytes} bytes in all` });
}

const inlineFilesSchema = Joi.array()
  .items(Joi.object({ path: filePath.required(), content: untrimmedText(inlineFiles.bytes).required().description('The text of the file.').example('def test_sum(): ...\n') }))
  .min(1)
  .max(inlineFiles.count)
  .custom(checkTotalBytes)
  .required()
  .description(`At most ${inlineFiles.count} files and ${inlineFiles.bytes / 1024 ** 2} MiB in all.`);

const ciphertextHash = sha256().description('Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file.');

const iv = base64Of(hiddenTests.ivBytes).description(`Base64 of the ${hiddenTests.ivBytes}-byte initialisation vector.`).example('AAECAwQFBgcICQoL');

/** Returns the schemas of a coding spec's parts, with the given schema for stored files. */
export const specParts = <File extends Joi.AnySchema>(storedFile: File) => ({
  starter: discriminatedUnion({ zip: { file: storedFile }, empty: {} }).example({ kind: 'empty' }),
  sample_tests: discriminatedUnion({ inline: { files: inlineFilesSchema }, zip: { file: storedFile } }).allow(null),
  hidden_tests: Joi.object({ kind: Joi.string().valid('zip-encrypted').required().description('Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null.'), file: storedFile, iv_b64: iv.required(), sha256: ciphertextHash.required() })
    .allow(null)
    .example(null),
});

const responseParts = specParts(file);
const requestParts = specParts(fileOrRef);

const commandLine = text(commandLength, 'multi-line').allow(null).description('Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.');

const commandLines = {
  setup: commandLine.example('pip install -r {{workspace}}/requirements.txt'),
  run: commandLine.example('python {{workspace}}/main.py'),
  test_sample: commandLine.example('pytest {{workspace}}/tests --junitxml {{results}}/sample.xml'),
  test_hidden: commandLine.example('pytest {{hidden}} --junitxml {{results}}/hidden.xml'),
};
const timeout = wholeNumber(timeoutMs.min, timeoutMs.max).description('How long one command may run, in ms.').example(60_000);

const brief = text(markdown, 'multi-line').description('The exam brief, in Markdown.').example('# Sum\nWrite a function that adds two numbers.');
const rubric = text(markdown, 'multi-line').allow(null).description('In Markdown; for those who grade: the app does not get it.').example('2 points for each passed test.');
const toolchain = Joi.string()
  .valid(...toolchains)
  .description("Must be among the institution's `allowed_toolchains`; apps install what a machine lacks.")
  .example('python');
const glob = text(excludeGlobs.length);
const version = Joi.number().valid(1).required().description('The version of this format: always 1.').example(1);

export const exampleTests = { kind: 'inline', files: [{ path: 'tests/test_sum.py', content: 'def test_sum(): ...\n' }] };
const examplePolicy = { allowed: false, model_tier: 'local' };

/** A coding exam's spec in a body; optional fields have defaults. */
export const codeSpecInput = Joi.object({
  v: version,
  brief_md: brief.required(),
  toolchain: toolchain.required(),
  starter: requestParts.starter.description('What a workspace begins with; empty by default.'),
  sample_tests: requestParts.sample_tests
    .description('Tests that the student sees.')
    .example(exampleTests),
  hidden_tests: requestParts.hidden_tests.description(
    'A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret.',
  ),
  commands: Joi.object({ ...commandLines, timeout_ms: timeout.default(timeoutMs.default) })
    .required()
    .description('What the app runs; a command that is left out is not there.'),
  ai_policy: Joi.object({ allowed: aiPolicyFields.allowed.required(), model_tier: aiPolicyFields.model_tier })
    .allow(null)
    .description("Enforced on the student's machine; null or left out: the exam's own `ai_policy`.")
    .example(examplePolicy),
  rubric_md: rubric,
  exclude_globs: Joi.array().items(glob).max(excludeGlobs.count).description('What is left out of the submitted workspace.').example(['node_modules/**']),
});

/** The fields of a coding exam's spec in responses: all are present. */
export const codeSpecFields = {
  v: version,
  brief_md: brief.required(),
  toolchain: toolchain.required(),
  starter: responseParts.starter.required(),
  sample_tests: responseParts.sample_tests.required().example(exampleTests),
  hidden_tests: responseParts.hidden_tests.required(),
  commands: Joi.object({
    setup: commandLines.setup.required(),
    run: commandLines.run.required(),
    test_sample: commandLines.test_sample.required(),
    test_hidden: commandLines.test_hidden.required(),
    timeout_ms: timeout.required(),
  }).required(),
  ai_policy: Joi.object({ allowed: aiPolicyFields.allowed.required(), model_tier: aiPolicyFields.model_tier.required() }).allow(null).required().example(examplePolicy),
  rubric_md: rubric.required(),
  exclude_globs: Joi.array().items(glob).required().example(['node_modules/**']),
};

export const codeSpecSchema = Joi.object(codeSpecFields).meta({ title: 'CodeSpec' });
