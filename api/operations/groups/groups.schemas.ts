import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { userStatuses } from '../../../db/entities/user';
import { maxMembers } from '../../../domain/groups/limits';
import { idParams, paging, reference, text, timestamp } from '../../http/request/fields';
import { personFilter } from '../../http/request/filters';
import { examSummarySchema } from '../exams/exams.schemas';

const exampleId = 'grp_01jd4k6f2mep2s5xg5yhc8m1zr';
const exampleStudentId = 'stu_01jd4k6f2mep2s5xg5yhc8m1zr';

/** `{ id }` of a group's path. */
export const groupParams = idParams('Id of the group.', exampleId);

export const membershipParams = Joi.object({
  id: reference().required().description('Id of the group.').example(exampleId),
  studentId: reference().required().description('Internal id or generated login email of the student.').example(exampleStudentId),
});

const groupFields = {
  id: Joi.string().required().example(exampleId),
  name: Joi.string().required().example('Algebra 9b'),
  description: Joi.string().allow(null).required().example('Mondays and Thursdays'),
  faculty_id: Joi.string().required().description('Internal id of the owner.').example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  member_count: Joi.number().integer().min(0).required().example(28),
  created_at: timestamp().required().example('2026-09-01T08:10:00.000Z'),
  updated_at: timestamp().required().description('The last change of the group or of its members.').example('2026-09-01T08:10:00.000Z'),
};

export const groupSchema = Joi.object(groupFields).meta({ title: 'Group' });
export type GroupResponse = SchemaType<typeof groupSchema>;

export const changedGroupSchema = Joi.object({
  ...groupFields,
  skipped: Joi.array()
    .items(Joi.string())
    .required()
    .description('Entries of `student_ids` that are neither the internal id nor the login email of a student of the institution: as sent, each once.')
    .example(['W-1042']),
}).meta({ title: 'ChangedGroup' });
export type ChangedGroupResponse = SchemaType<typeof changedGroupSchema>;

const memberSchema = Joi.object({
  id: Joi.string().required().example(exampleStudentId),
  login_email: Joi.string().required().example('student1.9f86d081@north.example'),
  full_name: Joi.string().allow(null).required().example('Ada Lovelace'),
  status: Joi.string().valid(...userStatuses).required().example('active'),
}).meta({ title: 'GroupMember' });

/** Maximum number of exams in a group's response. */
export const maxExamsShown = 200;

export const groupDetailsSchema = Joi.object({
  ...groupFields,
  members: Joi.array().items(memberSchema).required().description('Every member, by login email.'),
  exams: Joi.array().items(examSummarySchema).required().description(`Exams assigned to the group, the newest ${maxExamsShown}.`),
  exam_count: Joi.number().integer().min(0).required().description('How many exams are assigned in all.').example(1),
}).meta({ title: 'GroupDetails' });
export type GroupDetailsResponse = SchemaType<typeof groupDetailsSchema>;

export const groupQuery = Joi.object({
  faculty_id: personFilter('faculty').description("The owner's internal id or login email; a text in neither form is a `validation_error`."),
  q: text(200).description('Text to find anywhere in name or description, case-insensitive. No wildcards.').example('algebra'),
  ...paging,
});

const studentIds = Joi.array()
  .items(reference())
  .max(maxMembers)
  .example([exampleStudentId, 'student2.60303ae2@north.example', 'W-1042']);

const inputFields = {
  name: text(200).description('Need not be unique.').example('Algebra 9b'),
  description: text(2000, 'multi-line').allow(null).description('Of your choice; null for none.').example('Mondays and Thursdays'),
  faculty_id: reference().example('faculty2.9f86d081@north.example'),
};

const skippedDescription = 'Students by internal id or login email; what names nobody is skipped, and answered in `skipped`.';

export const newGroupSchema = Joi.object({
  ...inputFields,
  name: inputFields.name.required(),
  faculty_id: inputFields.faculty_id.description("The owner's internal id or login email; the institution admin without it."),
  student_ids: studentIds.description(skippedDescription),
});

export const groupChanges = Joi.object({
  ...inputFields,
  faculty_id: inputFields.faculty_id.description("The new owner's internal id or login email."),
  student_ids: studentIds.description(`Replaces the entire membership, an empty list by nobody. ${skippedDescription} \`no_valid_students\` when a list names no student at all.`),
});

export const newMembersSchema = Joi.object({
  student_ids: studentIds.required().description(`${skippedDescription} \`no_valid_students\` when a list names no student at all.`),
}).required();
