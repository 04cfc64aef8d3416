import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { institutionStatuses, toolchains } from '../../../db/entities/institution';
import { defaultConfig } from '../../../domain/institutions/config';
import { count, checkJson, text, timestamp } from '../../http/request/fields';
import { aiPolicyFields, proctoringFields } from '../exams/policies.schemas';
import { licenseCounts } from '../licenses/licenses.schemas';

const people = (example: number) => count.example(example);

/** The institution admin; null while there is none. */
export const institutionAdmin = Joi.object({
  id: Joi.string().required().example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  login_email: Joi.string().required().example('faculty2.9f86d081@north.example'),
})
  .allow(null)
  .required();

export const institutionSchema = Joi.object({
  id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('North School'),
  status: Joi.string().valid(...institutionStatuses).required().example('approved'),
  login_domain: Joi.string().required().description('What follows the @ of generated login emails.').example('north.example'),
  time_zone: Joi.string().required().example('Europe/Berlin'),
  admin: institutionAdmin.description('The institution admin, a faculty record.'),
  created_at: timestamp().required().example('2026-08-24T07:00:00.000Z'),
  users: Joi.object({
    student: Joi.object({ pending: people(3), active: people(35), suspended: people(2), total: people(40) }).required(),
    faculty: Joi.object({ active: people(5), suspended: people(0), total: people(5) }).required(),
  })
    .required()
    .description('People by kind and status.'),
  licenses: Joi.object(licenseCounts).required().description('Licenses by type and by status, as in the license summary.'),
}).meta({ title: 'Institution' });
export type InstitutionResponse = SchemaType<typeof institutionSchema>;

const { default_ai_policy: policy, default_proctoring: proctoring } = defaultConfig();

const toolchain = Joi.string().valid(...toolchains);

/** Limits of the `lms` object. */
const lmsBounds = { bytes: 16 * 1024, levels: 20 };

const exampleLms = { provider: 'moodle', course_prefix: 'NS' };

const lms = Joi.object()
  .custom(checkJson(lmsBounds))
  .description('Any JSON object: at most 16 KiB serialised, at most 20 levels deep; its numbers 0, or in size at least 0.000001 and below 1e21.')
  .example(exampleLms);

const mirrorUrl = text(2048)
  .custom((value: string, helpers) => {
    const url = /^https:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    const isValid = url?.username === '' && url.password === '';
    return isValid ? value : helpers.message({ custom: '{{#label}} must be an https URL without credentials' });
  })
  .meta({ format: 'uri' })
  .example('https://mirror.north.example/toolchains');

export const configSchema = Joi.object({
  default_ai_policy: Joi.object({
    allowed: aiPolicyFields.allowed.required(),
    model_tier: aiPolicyFields.model_tier.required(),
    max_interactions: aiPolicyFields.max_interactions.required(),
  }).required(),
  default_proctoring: Joi.object({
    camera: proctoringFields.camera.required(),
    microphone: proctoringFields.microphone.required(),
    screen: proctoringFields.screen.required(),
  }).required(),
  allowed_toolchains: Joi.array().items(toolchain).required().example(['python', 'node']),
  toolchain_mirror: Joi.object({ base_url: mirrorUrl.required() }).allow(null).required(),
  lms: Joi.object().unknown(true).required().example(exampleLms),
  unique_student_ids: Joi.boolean().required().description('Whether no two students may have the same `student_id`.').example(false),
  require_enrolment_code: Joi.boolean().required().description('Whether a student without a mapped personal email needs an enrolment code to name one.').example(true),
}).meta({ title: 'IntegrationConfig' });
export type ConfigResponse = SchemaType<typeof configSchema>;

export const configReplacementSchema = Joi.object({
  default_ai_policy: Joi.object({
    allowed: aiPolicyFields.allowed.default(policy.allowed),
    model_tier: aiPolicyFields.model_tier.default(policy.model_tier),
    max_interactions: aiPolicyFields.max_interactions.default(policy.max_interactions),
  }).description('What new exams take where they name no ai_policy.'),
  default_proctoring: Joi.object({
    camera: proctoringFields.camera.default(proctoring.camera),
    microphone: proctoringFields.microphone.default(proctoring.microphone),
    screen: proctoringFields.screen.default(proctoring.screen),
  }).description('What new exams take where they name no proctoring.'),
  allowed_toolchains: Joi.array()
    .items(toolchain)
    .max(toolchains.length)
    .unique()
    .description('Toolchains that coding exams may name; all six by default.')
    .example(['python', 'node']),
  toolchain_mirror: Joi.object({ base_url: mirrorUrl.required().description('An https URL without a user name and password.') }).allow(null).description('Where apps install toolchains from.'),
  lms,
  unique_student_ids: Joi.boolean()
    .default(false)
    .description(
      'Whether a second student with the same `student_id` (exact text; students without one never conflict) is refused as `conflict`. ' +
        'Turning it on while several students have the same is `conflict` too; the error names up to 20 of them.',
    )
    .example(false),
  require_enrolment_code: Joi.boolean()
    .default(false)
    .description(
      'Recommended. Whether a student without a mapped personal email needs an enrolment code to name one at the first sign-in; `POST /students/{id}/enrolment-code` makes it. ' +
        'Without it, anyone who knows the login email of such a student can name an address.',
    )
    .example(true),
}).required();
