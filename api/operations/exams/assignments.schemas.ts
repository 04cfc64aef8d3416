import Joi from 'joi';
import { reference } from '../../http/request/fields';
import { groupIds } from './exams.schemas';

export const assignmentParams = Joi.object({
  id: reference().required().description('The exam.').example('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
  groupId: reference().required().description('The group.').example('grp_01jd4k6f2mep2s5xg5yhc8m1zr'),
});

export const newAssignments = Joi.object({
  group_ids: groupIds.min(1).required().description('Groups of the institution. No-op for groups that have the exam.'),
});
