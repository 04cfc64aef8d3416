import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { emailKinds, emailRecipientKinds } from '../../../db/repositories/sandbox/emails';
import { deletedSchema, timestamp } from '../../http/request/fields';

/** An email that the sandbox kept; it never says an address (section What the service does, 8). */
export const sandboxEmailSchema = Joi.object({
  id: Joi.string().required().example('eml_01jd4k6f2mep2s5xg5yhc8m1zr'),
  kind: Joi.string().valid(...emailKinds).required().description('What it would have been sent for.').example('guardian_invitation'),
  to: Joi.object({
    kind: Joi.string().valid(...emailRecipientKinds).required().description('An invitation to a guardian names the link of GET /guardians.').example('guardian_link'),
    id: Joi.string().required().description('Of the platform: `platform`.').example('gdn_01jd4k6f2mep2s5xg5yhc8m1zr'),
  })
    .required()
    .description('The recipient, never the address.'),
  subject: Joi.string().allow('').required().example('Invitation to follow Ada Lovelace at North School (sandbox)'),
  text: Joi.string().allow('').required().description("Where it names the recipient's address: `(address)`.").example('Please accept the invitation by Friday.'),
  links: Joi.array().items(Joi.string()).required().description('The links in the text, in its order.').example(['https://portal.example/guardians/accept?token=abc']),
  created_at: timestamp().required().description("By the sandbox's clock.").example('2026-09-02T08:00:00.000Z'),
}).meta({ title: 'SandboxEmail' });
export type SandboxEmailResponse = SchemaType<typeof sandboxEmailSchema>;

export const resetSandboxSchema = deletedSchema('ins_01jd4k6f2mep2s5xg5yhc8m1zr');
