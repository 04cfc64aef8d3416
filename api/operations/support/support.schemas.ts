import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { appNames } from '../../../db/repositories/devices/seats';
import { licenseStatuses } from '../../../db/entities/license';
import { rowErrors } from '../../../db/repositories/provisioning/batches';
import { deliveryStatuses } from '../../../db/repositories/webhooks/deliveryStatus';
import { absentOutcomes } from '../../../domain/support/explainEvent';
import { idParams, listOf, paging, text, timestamp, timestampOrNull, type Page } from '../../http/request/fields';
import { sinceDateTime, untilDateTime } from '../../http/request/filters';
import { typePattern } from '../events/events.schemas';

export const searchQuery = Joi.object({
  q: text(320).required().description('An id of any kind, a request id, the id of a workflow, a login email or a login domain. Exact matches only.').example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

const seatFields = {
  id: Joi.string().required().example('seat_01jd4k6f2mep2s5xg5yhc8m1zr'),
  app: Joi.string().valid(...appNames).required().example('svcapp'),
  platform: Joi.string().required().example('macos'),
  status: Joi.string().valid('active', 'signed_out', 'evicted', 'revoked').required().description('`evicted`: a newer device took it.').example('active'),
  signed_in_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  last_seen_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  ended_at: timestampOrNull('When it ended.').example(null),
};

const seatSchema = Joi.object(seatFields).meta({ title: 'FoundSeat' });

const seatWithEndSchema = Joi.object({
  ...seatFields,
  ended_because: Joi.string().allow(null).required().description('Why it ended, in words, with when, by whom and by which request where the audit log has the call; null while it is active.').example(null),
  replaced_by: Joi.string().allow(null).required().description('Of an evicted seat the one that took its place; null where that is not certain, and of other seats.').example(null),
}).meta({ title: 'FoundSeatWithEnd' });
export type SeatResponse = SchemaType<typeof seatWithEndSchema>;

const accountSchema = Joi.object({
  login_email: Joi.string().allow(null).required().description('Null for guardians and developers.').example('ada@north.example'),
  personal_email_mapped: Joi.boolean().required().description('Whether sign-in codes have an address to go to; a teacher without a completed profile gets them at that of the admin.').example(true),
  enrolment_code_required: Joi.boolean().required().description('Whether they need an enrolment code to name an address at the first sign-in.').example(false),
  locked_since: timestampOrNull('Since when the account is locked; null if it is not, and of a lock that began before this was stored.').example(null),
  locked_until: timestampOrNull('Until when no code opens a session, because ten wrong ones were tried within a day: an hour after the last wrong one; null if the account is not locked.').example(null),
  suspended: Joi.string().allow(null).required().description('When, by whom and by which request they were suspended; null where they are not, or the audit log has no such call.').example(null),
  license: Joi.object({
    id: Joi.string().required().example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
    status: Joi.string().valid(...licenseStatuses).required().example('active'),
    expires_at: timestampOrNull('Its end; null if it never ends.').example(null),
    changed: Joi.string().allow(null).required().description('When, by whom and by which request it was suspended or revoked; null where it is not, or the audit log has no such call.').example(null),
  }).allow(null).required().description('Null if they have none.'),
  seats: Joi.array().items(seatSchema).required().max(20).description('Active ones first, then those that ended within 90 days.'),
}).meta({ title: 'FoundAccount' });
export type AccountResponse = SchemaType<typeof accountSchema>;

const bulkCallSchema = Joi.object({
  created: Joi.number().integer().required().example(3),
  failed: Joi.number().integer().required().example(1),
  open: Joi.number().integer().required().description('Items that have no outcome yet.').example(0),
  has_idempotency_key: Joi.boolean().allow(null).required().description('Whether the call had an `Idempotency-Key`; null for calls made before version 0.18.0, of which this is not stored.').example(true),
  failed_rows: Joi.array()
    .items(
      Joi.object({
        index: Joi.number().integer().required().description('Of the item in the call, from 0.').example(1),
        error: Joi.string().valid(...rowErrors).required().example('validation_error'),
        fields: Joi.array().items(Joi.string().allow(null)).required().description('What it was rejected for. Null stands for fields that the service does not know: their names are the text of the caller.').example(['license_days']),
        reason: Joi.string().required().description('The error and the fields, in words.').example('validation_error, license_days'),
      }).meta({ title: 'FailedBulkRow' }),
    )
    .required()
    .max(200)
    .description('In the order of the call. The message of each error is in the response of the call alone.'),
  created_rows: Joi.array()
    .items(
      Joi.object({
        index: Joi.number().integer().required().description('Of the item in the call, from 0.').example(0),
        id: Joi.string().required().description('Of the student.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
      }).meta({ title: 'CreatedBulkRow' }),
    )
    .required()
    .max(200)
    .description('In the order of the call.'),
  repeat: Joi.string().allow(null).required().description('Whether the institution may repeat the call, and what it sends for the items that failed; null if none failed.').example(
    'yes, with its Idempotency-Key, exactly as it was until 2026-11-21T09:30:00.000Z: the school gets the whole answer again, and nobody is created twice; then it sends those that failed alone, in a new call with a new key',
  ),
}).meta({ title: 'FoundBulkCall' });
export type BulkCallResponse = SchemaType<typeof bulkCallSchema>;

const foundSchema = Joi.object({
  kind: Joi.string().required().description('What it is.').example('license'),
  id: Joi.string().required().example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
  state: Joi.string().allow(null).required().description('Its status, if its kind has one; the operation of an audited call.').example('active'),
  parent_id: Joi.string().allow(null).required().description('What it belongs to within its institution: the student of a license, the endpoint of a delivery; of a sandbox and of a test key the institution proper, whose audit log has who made and revoked the key.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  institution_id: Joi.string().allow(null).required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  institution_name: Joi.string().allow(null).required().example('North School'),
  created_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  account: accountSchema.allow(null).required().description('Of a person: what decides whether they can sign in. Null for anything else.'),
  changed: Joi.string().allow(null).required().description('Of a license that is suspended or revoked: when, by whom and by which request, where the audit log has the call. Null for anything else.').example(null),
  bulk: bulkCallSchema.allow(null).required().description('Of a bulk call: what became of its items. Null for anything else.'),
  seat: seatWithEndSchema.allow(null).required().description('Of a seat: where it is, when it was used, and why it ended; `parent_id` is whose it is. Null for anything else.'),
  description: Joi.string().allow(null).required().description('What people call it: a name, a title, the description or URL of an endpoint, the type of an event; of an audited call what it was. Null if there is nothing more to say.').example('student'),
}).meta({ title: 'Found' });

export const searchSchema = Joi.object({
  query: Joi.string().allow(null, '').required().description('What was searched: without quotes and punctuation around it, in lower case. Null for an email that nobody signs in with: it may be a personal one.').example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
  looked_for: Joi.string().required().description('What was looked for, and by what.').example('license, by id'),
  items: Joi.array().items(foundSchema).required().max(20).description('One thing, or the audited calls of a request; empty if nothing was found.'),
  note: Joi.string().allow(null).required().description('What is known though nothing was found.').example(null),
}).meta({ title: 'SearchResult' });
export type SearchResponse = SchemaType<typeof searchSchema>;

export const eventsQuery = Joi.object({
  type: typePattern.description('An event type, a prefix such as `exam.*`, or `*` for all but operational ones.').example('exam.graded'),
  since: sinceDateTime('Created after this moment, exclusively.'),
  until: untilDateTime('Created up to this moment, inclusively.'),
  about: text(320).description('Whose content names this id, or the person with this login email, among the newest 20,000 events that the other filters leave.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  ...paging,
});

const eventFields = {
  id: Joi.string().required().example('evt_01jd4k6f2mep2s5xg5yhc8m1zr'),
  type: Joi.string().required().example('exam.graded'),
  created_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
};

export const listedEventSchema = Joi.object({
  ...eventFields,
  deliveries: Joi.array()
    .items(
      Joi.object({
        id: Joi.string().required().example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
        endpoint_id: Joi.string().required().example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
        status: Joi.string().valid(...deliveryStatuses).required().example('delivered'),
      }),
    )
    .required()
    .description('One for each endpoint that was to receive it. `GET /events/{id}` says why the others were not.'),
}).meta({ title: 'ListedEvent' });
export type ListedEventResponse = SchemaType<typeof listedEventSchema>;

/** A list of events, and what to know of the search for them. */
export const listedEventsSchema = listOf(listedEventSchema).append<Page<ListedEventResponse> & { note: string | null }>({
  note: Joi.string().allow(null).required().description('With `about`: why nothing can match, or that there are more events than were searched.').example(null),
});

export const eventParams = idParams('Id of the event.', 'evt_01jd4k6f2mep2s5xg5yhc8m1zr');

const outcomeSchema = Joi.object({
  endpoint_id: Joi.string().required().example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
  url: Joi.string().required().description('Of the endpoint, as it is now.').example('https://hooks.north.example/in'),
  description: Joi.string().allow(null, '').required().description('Of the endpoint, as it is now.').example('Gradebook'),
  outcome: Joi.string()
    .valid(...deliveryStatuses, ...absentOutcomes)
    .required()
    .description(
      'The status of its delivery. Without one: `queued`, the event is still to be distributed; `created_later` or `deleted`, the endpoint was created after or deleted before the event; ' +
        '`not_subscribed`; `disabled`, it was when the event happened; `unknown`, it was changed since, so that more than one reason is possible.',
    )
    .example('disabled'),
  reason: Joi.string().required().description('In a sentence or two.').example('It was disabled when the event happened: a disabled endpoint receives no deliveries, and those that it missed are sent only by a recovery of the endpoint.'),
  at: timestamp().allow(null).required().description('The moment that the reason is about: delivered, held since, given up, planned, created, deleted, changed, disabled since.').example(null),
  delivery_id: Joi.string().allow(null).required().example(null),
}).meta({ title: 'EndpointOutcome' });

export const explainedEventSchema = Joi.object({
  ...eventFields,
  institution_id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  institution_name: Joi.string().required().example('North School'),
  time_zone: Joi.string().required().description('Of the institution.').example('Europe/Berlin'),
  ids: Joi.object()
    .pattern(Joi.string(), Joi.string())
    .allow(null)
    .required()
    .description('The ids in its content, by the names of their fields; null once the content is no longer kept.')
    .example({ student_id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr', exam_id: 'exm_01jd4k6f2mep2s5xg5yhc8m1zr' }),
  pruned: Joi.boolean().required().description('Whether its content is no longer kept, after 30 days.').example(false),
  endpoints: Joi.array().items(outcomeSchema).required().description('Every endpoint of the institution, at most 200; of the deleted ones the last.'),
}).meta({ title: 'ExplainedEvent' });
export type ExplainedEventResponse = SchemaType<typeof explainedEventSchema>;
