import type { AnswerInspector } from '../../api/http/dispatch';
import { isFileAnswer } from '../../api/http/operation';
import { noteSent, requireNoLeak } from './leaks';

type Record = Parameters<AnswerInspector>[0];

/** What was wrong with answers so far, until somebody is told; the requests themselves failed with a 500. */
const faults: Error[] = [];

/** The oldest fault that nobody has been told of. */
export const nextFault = (): Error | undefined => faults.shift();

function requireSchema({ operationId, response }: Record, text: string): void {
  if (isFileAnswer(response)) throw new Error(`${operationId} answered JSON, and promised a file`);
  const { error } = response.validate(JSON.parse(text), { convert: false, allowUnknown: false });
  if (error) throw new Error(`${operationId} answered against its own schema: ${error.message}`);
}

/**
 * Checks each answer of the test run against its record's own schema, and for what must come back to nobody; whatever
 * client asked. A fault fails the request with a 500.
 */
export const inspectAnswer: AnswerInspector = (record, data, sent) => {
  const text = JSON.stringify(data);
  try {
    if (sent !== undefined) noteSent(record.path, JSON.stringify(sent));
    requireSchema(record, text);
    requireNoLeak(record.operationId, text);
  } catch (error) {
    if (error instanceof Error) faults.push(error);
    throw error;
  }
};
