import { createEnrolmentCode, createEnrolmentCodes, type EnrolmentCodeResult, type IssuedEnrolmentCode } from '../../../domain/signIn/enrolmentCode';
import { operation } from '../../http/operation';
import { personParams } from '../../http/request/fields';
import { enrolmentCodeSchema, enrolmentCodesBody, enrolmentCodesSchema } from './enrolmentCodes.schemas';

const tag = 'Students';

const presentCode = ({ student, code, expiresAt }: IssuedEnrolmentCode) => ({ id: student.id, login_email: student.login_email, code, expires_at: expiresAt.toISOString() });

const presentResult = (result: EnrolmentCodeResult, index: number) =>
  'rejected' in result ? { index, error: result.rejected.code, message: result.rejected.message } : { index, ...presentCode(result) };

export const enrolmentCodes = [
  operation({
    method: 'POST',
    path: '/students/:id/enrolment-code',
    operationId: 'createEnrolmentCode',
    tag,
    access: { key: 'students:write' },
    summary: 'Make an enrolment code for a student who has no mapped personal email.',
    description:
      'Where the config has `require_enrolment_code`, the student sends it with the address that they name at the first sign-in. It is shown once, and valid for 30 days, ' +
      '5 tries and one enrolment; a new one replaces it. A student with a mapped personal email: conflict.',
    request: { params: personParams },
    response: enrolmentCodeSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentCode(await createEnrolmentCode(tx, params.id)),
  }),
  operation({
    method: 'POST',
    path: '/students/enrolment-codes',
    operationId: 'createEnrolmentCodes',
    tag,
    access: { key: 'students:write' },
    summary: 'Make enrolment codes for up to 200 students.',
    description: 'Students who get none have an error in the response, the others get theirs: unknown ones, those with a mapped personal email, and those named a second time.',
    request: { body: enrolmentCodesBody },
    response: enrolmentCodesSchema,
    errors: [],
    transaction: 'write',
    handle: async ({ body, tx }) => {
      const results = await createEnrolmentCodes(tx, body.student_ids);
      const failed = results.filter((result) => 'rejected' in result).length;
      return { created: results.length - failed, failed, results: results.map(presentResult) };
    },
  }),
];
