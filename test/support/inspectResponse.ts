import type { ResponseInspector } from '../../api/http/dispatch';
import { isFileResponse } from '../../api/http/operation';
import { registerRequestSecrets, requireNoLeak } from './leaks';

type OperationRecord = Parameters<ResponseInspector>[0];

/** What was wrong with responses so far, until it is reported; the requests themselves failed with a 500. */
const errors: Error[] = [];

/** The oldest fault that was not reported yet. */
export const nextResponseError = (): Error | undefined => errors.shift();

function requireSchema({ operationId, response }: OperationRecord, text: string): void {
  if (isFileResponse(response)) throw new Error(`${operationId} answered JSON, and promised a file`);
  const { error } = response.validate(JSON.parse(text), { convert: false, allowUnknown: false });
  if (error) throw new Error(`${operationId} answered against its own schema: ${error.message}`);
}

/**
 * Checks each response of the test run, to any client, against its operation's schema and for secrets. A violation fails the
 * request with a 500.
 */
export const inspectResponse: ResponseInspector = (record, data, sent) => {
  const text = JSON.stringify(data);
  try {
    if (sent !== undefined) registerRequestSecrets(record.path, JSON.stringify(sent));
    requireSchema(record, text);
    requireNoLeak(record.operationId, text);
  } catch (error) {
    if (error instanceof Error) errors.push(error);
    throw error;
  }
};
