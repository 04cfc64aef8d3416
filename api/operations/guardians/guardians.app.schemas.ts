import Joi from 'joi';
import { visibleExamStatuses } from '../../../db/repositories/exams/columns';
import { maxVersionsPerExam, previewLimits } from '../../../domain/guardians/readFollowed';
import type { SchemaType } from '../../../lib/schemaType';
import { paging, text, timestamp, timestampOrNull, wholeNumber } from '../../http/request/fields';
import { guardianLinkStatus } from './guardians.schemas';
import { scoreDetail, signedFile, submissionStatus } from '../submissions/submissions.schemas';
import { followedReportSchema } from './reports.app.presenter';

/** The request of a guardian who follows the link of their invitation email. */
export const acceptanceSchema = Joi.object({
  token: text(200).required().description('From the link of the email.').example('gdn_01jd4k6f2mep2s5xg5yhc8m1zr.1.kN0hX8…'),
}).required();

export const acceptedInvitationSchema = Joi.object({
  id: Joi.string().required().description('The guardian link.').example('gdn_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: guardianLinkStatus.required().example('accepted'),
  institution: Joi.object({
    id: Joi.string().required().description('For signing in, where a guardian is one in several.').example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
    name: Joi.string().required().example('North School'),
  }).required(),
  student: Joi.object({ full_name: Joi.string().allow(null).required().example('Ada Lovelace') }).required(),
  expires_at: timestamp().required().description('Until when the guardian must have signed in.').example('2026-12-04T09:30:00.000Z'),
}).meta({ title: 'AcceptedInvitation' });

const versionFields = {
  id: Joi.string().required().example('sub_01jd4k6f2mep2s5xg5yhc8m1zr'),
  version: Joi.number().integer().required().example(1),
  status: submissionStatus.required().example('graded'),
  is_late: Joi.boolean().required().example(false),
  submitted_at: timestamp().required().example('2026-11-20T10:40:00.000Z'),
  graded_at: timestampOrNull('Null unless graded.'),
  score_detail: scoreDetail.allow(null).required().description('Null unless graded.'),
  feedback: Joi.string().allow(null).required().example('Show how you got there.'),
  attachments: Joi.array().items(signedFile).required().description('What was handed in. Recordings are never shown.'),
};

const version = Joi.object(versionFields).meta({ title: 'FollowedVersion' });
export type FollowedVersionResponse = SchemaType<typeof version>;

/** A version with the student's text; only in single responses, because a text may be long. */
export const followedSubmissionSchema = Joi.object({
  ...versionFields,
  exam_id: Joi.string().required().example('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  text: Joi.string().allow(null, '').required().description('What the student wrote, 200,000 characters at most; null where only files were handed in.').example('The derivative is 2x.'),
}).meta({ title: 'FollowedSubmission' });
export type FollowedSubmissionResponse = SchemaType<typeof followedSubmissionSchema>;

/** An exam with what the student has handed in. */
export const followedExamSchema = Joi.object({
  id: Joi.string().required().example('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
  title: Joi.string().required().example('Algebra, midterm'),
  exam_type: Joi.string().required().example('exam'),
  status: Joi.string().valid(...visibleExamStatuses).required().example('published'),
  max_score: Joi.number().required().example(100),
  due_date: timestampOrNull('Null where there is none.'),
  submissions: Joi.array().items(version).required().description(
    `The newest version, which alone counts; in the list of one student's exams the newest ${maxVersionsPerExam}, the newest first.`,
  ),
}).meta({ title: 'FollowedExam' });
export type FollowedExamResponse = SchemaType<typeof followedExamSchema>;

/** A student in the list, with their newest exams and reports. */
export const followedStudentSchema = Joi.object({
  id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  full_name: Joi.string().allow(null).required().example('Ada Lovelace'),
  login_email: Joi.string().required().description('The generated login email.').example('student1.9f86d081@north.example'),
  exams: Joi.array().items(followedExamSchema).required().description(`The newest ${previewLimits.exams} that the student sees, each with the newest version of what was handed in.`),
  weekly_reports: Joi.array().items(followedReportSchema).required().description(`The newest ${previewLimits.reports}.`),
}).meta({ title: 'FollowedStudent' });
export type FollowedStudentResponse = SchemaType<typeof followedStudentSchema>;

const maxStudentsPerPage = 20;

/** Each student contains exams and reports, so a page has fewer items than other lists. */
export const followedStudentsQuery = Joi.object({
  ...paging,
  limit: wholeNumber(1, maxStudentsPerPage).default(maxStudentsPerPage).description(`Items a page, ${maxStudentsPerPage} at most.`).example(maxStudentsPerPage),
});
