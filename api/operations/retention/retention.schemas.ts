import Joi from 'joi';
import { retentionBounds } from '../../../domain/retention/institutionPeriods';
import { wholeNumber } from '../../http/request/fields';

const { recording_days: recordings, proctoring_days: proctoring, suspended_days: suspended } = retentionBounds;

const descriptions = {
  recording_days: 'How many days recordings are kept after the submission was graded or voided; of an attempt that was never submitted, after its end. Those of a submission that is not graded are kept.',
  proctoring_days: 'How many days the details of proctoring events are kept after the end of their attempt. Types, times and counts are kept.',
  suspended_days: 'How many days after their suspension students and faculty are erased, as by POST …/erase. Null: they are kept.',
} as const;

export const retentionSchema = Joi.object({
  recording_days: Joi.number().integer().required().description(descriptions.recording_days).example(recordings.default),
  proctoring_days: Joi.number().integer().required().description(descriptions.proctoring_days).example(proctoring.default),
  suspended_days: Joi.number().integer().allow(null).required().description(descriptions.suspended_days).example(730),
}).meta({ title: 'Retention' });

export const newRetentionSchema = Joi.object({
  recording_days: wholeNumber(recordings.min, recordings.max).default(recordings.default).description(descriptions.recording_days).example(recordings.default),
  proctoring_days: wholeNumber(proctoring.min, proctoring.max).default(proctoring.default).description(descriptions.proctoring_days).example(proctoring.default),
  suspended_days: wholeNumber(suspended.min, suspended.max).allow(null).default(suspended.default).description(descriptions.suspended_days).example(730),
}).required();
