import Joi from 'joi';
import { defaultQuotas, quotaBounds } from '../../../domain/quotas/quotas';
import { count, wholeNumber } from '../../http/request/fields';

const bytes = () => wholeNumber(1, quotaBounds.bytes);

const fields = {
  attempt_bytes: bytes().description('Bytes of all files of one attempt.').example(defaultQuotas.attempt_bytes),
  student_bytes: bytes().description('Bytes of all files of the attempts of one student.').example(defaultQuotas.student_bytes),
  institution_bytes: bytes().allow(null).description('Bytes of all files of the institution, those of exams included; null: no quota.').example(null),
  daily_new_addresses: wholeNumber(0, quotaBounds.emails)
    .description('Emails that may be sent in one UTC day to addresses that nobody has confirmed: invitations and codes.')
    .example(defaultQuotas.daily_new_addresses),
};

export const newQuotasSchema = Joi.object({
  attempt_bytes: fields.attempt_bytes.default(defaultQuotas.attempt_bytes),
  student_bytes: fields.student_bytes.default(defaultQuotas.student_bytes),
  institution_bytes: fields.institution_bytes.default(defaultQuotas.institution_bytes),
  daily_new_addresses: fields.daily_new_addresses.default(defaultQuotas.daily_new_addresses),
}).required();

export const quotasSchema = Joi.object({
  attempt_bytes: fields.attempt_bytes.required(),
  student_bytes: fields.student_bytes.required(),
  institution_bytes: fields.institution_bytes.required(),
  daily_new_addresses: fields.daily_new_addresses.required(),
  stored_bytes: count.description('Bytes of all files that the institution has now, archives of exports among them; no quota refuses an export.').example(73_400_320),
}).meta({ title: 'InstitutionQuotas' });
