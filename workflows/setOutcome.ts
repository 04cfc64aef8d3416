import { upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from './contract';

/** Sets the search attribute by which the Web UI finds workflows of an outcome. */
export function setOutcome(value: string): void {
  upsertSearchAttributes([{ key: searchAttributes.outcome, value }]);
}
