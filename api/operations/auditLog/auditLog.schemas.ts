import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { actorsWithoutId } from '../../../domain/audit/noMatch';
import { actorKinds } from '../../../db/repositories/auditLog/auditLog';
import { listOf, paging, text, timestamp, type Page } from '../../http/request/fields';
import { sinceDateTime, typedIdFilter, untilDateTime } from '../../http/request/filters';

export const auditQuery = Joi.object({
  actor_id: typedIdFilter('key', actorsWithoutId).description('Whose calls: a key, a portal user, a person of the staff, `platform`, `console` (the support console before staff signed in as themselves), or of the service itself `sign_in`, `retention` or `webhooks`.').example('key_01jd4k6f2mep2s5xg5yhc8m1zr'),
  target_id: typedIdFilter('we', [], { emails: true }).description('Calls that named this id in their path, or created it, and those about a credit, guardian link or submission of this person; of an institution also those about the person with this login email.').example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
  operation: text(100).description('Calls of this operation, by its `operationId`.').example('suspendStudent'),
  request_id: typedIdFilter('req', []).description('The `X-Request-Id` of an answer.').example('req_01jd4k6f2mep2s5xg5yhc8m1zr'),
  since: sinceDateTime('Calls after this moment.').example('2026-11-20T09:30:00Z'),
  until: untilDateTime('Calls up to this moment, inclusively.').example('2026-11-20T10:30:00Z'),
  ...paging,
});

export const auditedCallSchema = Joi.object({
  id: Joi.string().required().example('aud_01jd4k6f2mep2s5xg5yhc8m1zr'),
  at: timestamp().required().description("When it was written, by the database's clock.").example('2026-11-20T09:30:00.000Z'),
  actor: Joi.object({
    kind: Joi.string()
      .valid(...actorKinds)
      .required()
      .description('An API key, the platform by its own token, a person of its staff (by token or in the support console), an admin or a developer of the institution in the portal, or the service itself (`system`).')
      .example('key'),
    id: Joi.string().required().description('Of the platform: `platform`, or `console`, which is the support console before staff signed in as themselves. Of the service itself: `sign_in` where it limits sign-ins, `retention` where it removes what an institution no longer keeps, `webhooks` where it disables an endpoint (`disableGoneEndpoint` after an answer of 410, `disableFailingEndpoint` after 72 hours without a success).').example('key_01jd4k6f2mep2s5xg5yhc8m1zr'),
    name: Joi.string().allow(null).required().description('Of a key or a person, as it is now; null for the platform, the service itself, and a person who was erased.').example('Student information system'),
  }).required(),
  operation: Joi.string().required().description('The `operationId`.').example('suspendStudent'),
  method: Joi.string().required().example('POST'),
  path: Joi.string().required().description('With the names of its parameters.').example('/v1/students/{id}/suspend'),
  target: Joi.object()
    .pattern(Joi.string(), Joi.string().allow(null))
    .required()
    .description('The ids in the path by their names, and `created` where the call made something, or `repeated` where its `ref` had made it before and nothing was done; of `retention` how many were removed. A person named by login email stands by their id.')
    .example({ id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr' }),
  changed: Joi.array()
    .items(Joi.string().example('full_name'))
    .required()
    .description('The names of the fields that were sent, never their values.'),
  request_id: Joi.string().required().description('The `X-Request-Id` of the answer.').example('req_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).meta({ title: 'AuditedCall' });
export type AuditedCallResponse = SchemaType<typeof auditedCallSchema>;

/** A list of calls, and why there is none. */
export const auditedCallsSchema = listOf(auditedCallSchema).append<Page<AuditedCallResponse> & { note: string | null }>({
  note: Joi.string().allow(null).required().description('Why nothing can match: an id that is not a whole one, a login email that nobody has.').example(null),
});
