import type { AnswerInspector } from '../../api/http/dispatch';
import { isFileAnswer } from '../../api/http/endpoint';

/** Checks each answer of the test run against its record's own schema; a mismatch fails the request with a 500. */
export const inspectAnswer: AnswerInspector = (record, data) => {
  const sent: unknown = JSON.parse(JSON.stringify(data));
  if (isFileAnswer(record.response)) throw new Error(`${record.operationId} answered JSON, and promised a file`);
  const { error } = record.response.validate(sent, { convert: false, allowUnknown: false });
  if (error) throw new Error(`${record.operationId} answered against its own schema: ${error.message}`);
};
