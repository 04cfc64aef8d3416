import { searchAttributes } from '../../workflows/contract';
import type { BenchEndpoint, ScenarioContext } from './scenarioContext';

const types = ['webhookDelivery', 'endpointBacklog'] as const;

/** Returns how many workflows were ever started for an endpoint, open and closed, by type. */
export async function countWorkflows({ temporal }: ScenarioContext, { id }: BenchEndpoint): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const type of types) {
    const { count } = await temporal.client.workflow.count(`${searchAttributes.endpointId.name} = '${id}' AND WorkflowType = '${type}'`);
    counts[type] = count;
  }
  return counts;
}
