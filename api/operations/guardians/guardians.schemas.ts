import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { exampleTimes } from '../../../domain/exampleSchool';
import { guardianLinkStatuses } from '../../../domain/guardians/linkStatus';
import { guardianTypes } from '../../../db/repositories/guardians/links';
import { emailAddress, idParams, paging, reference, text, timestamp, timestampOrNull } from '../../http/request/fields';
import { personFilter } from '../../http/request/filters';

const guardianType = Joi.string().valid(...guardianTypes);

/** The status of a link's invitation. */
export const guardianLinkStatus = Joi.string().valid(...guardianLinkStatuses);

/** A guardian link in every response to the institution. */
export const guardianLinkSchema = Joi.object({
  id: Joi.string().required().description('Of the link; `guardian_id` in events.').example('gdn_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().required().description('Internal id.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_email: Joi.string().required().description('The generated login email.').example('student1.9f86d081@north.example'),
  guardian_email: Joi.string().required().description('The address for emails and for signing in.').example('augusta@example.org'),
  guardian_type: guardianType.required().example('mother'),
  guardian_name: Joi.string().allow(null).required().example('Augusta King'),
  is_primary: Joi.boolean().required().description('At most one of a student’s guardians is.').example(true),
  verified: Joi.boolean().required().description('Whether the guardian has signed in. Only verified guardians see the student and receive emails about them.').example(true),
  status: guardianLinkStatus.required().description('`accepted`: by the link of the email, but not signed in yet. `expired`: can be sent again.').example('verified'),
  invited_at: timestamp().required().description('Of the newest invitation.').example('2026-09-02T08:00:00.000Z'),
  expires_at: timestamp().required().description('Until when it can be accepted and signed in with; of no meaning once verified.').example('2026-09-16T08:00:00.000Z'),
  accepted_at: timestampOrNull('When the newest invitation was accepted.').example(exampleTimes.guardianAccepted),
  verified_at: timestampOrNull('When the guardian first signed in after accepting.').example('2026-09-02T18:30:00.000Z'),
  created_at: timestamp().required().example('2026-09-02T08:00:00.000Z'),
  updated_at: timestamp().required().example('2026-09-02T18:30:00.000Z'),
}).meta({ title: 'GuardianLink' });

/** What is other in a link's example after its invitation. */
export const invitedExample = { verified: false, status: 'invited', accepted_at: null, verified_at: null, updated_at: exampleTimes.guardianInvited } as const;
export type GuardianLinkResponse = SchemaType<typeof guardianLinkSchema>;

export const newGuardianSchema = Joi.object({
  student_id: reference().required().description('Internal id or login email.').example('student1.9f86d081@north.example'),
  guardian_email: emailAddress().required().description('An address of the guardian’s own. One address is one guardian, of whom a student has one link.').example('augusta@example.org'),
  guardian_type: guardianType.required().description('What the guardian is to the student.').example('mother'),
  guardian_name: text(200).allow(null).description("The guardian's name, if you know it.").example('Augusta King'),
  is_primary: Joi.boolean().description('False by default. A primary guardian takes the place of the primary one before.').example(true),
}).required();

export const guardianQuery = Joi.object({
  student_id: personFilter('student').description('Internal id or login email; a text in neither form is a `validation_error`.').example('student1.9f86d081@north.example'),
  verified: Joi.boolean().description('Whether the guardian has signed in.').example(true),
  ...paging,
});

export const guardianParams = idParams('The guardian link.', 'gdn_01jd4k6f2mep2s5xg5yhc8m1zr');
