import type { Settings } from '../config/settings';
import { openTemporal, temporalOptions } from '../outbound/temporal/engine';
import { isNotFound } from '../outbound/temporal/grpcCode';
import type { NamespacePart, NamespacePartOutcome } from '../outbound/temporal/namespaceParts';
import { isLacking, prepareDeadlineMs, prepareNamespace } from '../outbound/temporal/prepareNamespace';


const said: Record<NamespacePartOutcome, string> = {
  present: 'is there',
  made: 'made',
  updated: 'brought up to date',
  newer: 'was written by a newer release, and stays as it is',
  missing: 'MISSING',
  outdated: 'OUTDATED',
};

const lineOf = ({ kind, name, outcome }: NamespacePart): string => `${kind} ${name}: ${said[outcome]}\n`;

/** How an outdated Schedule is replaced: a paused one is to be paused again. */
const stepsOf = ({ name, outcome, byHand }: NamespacePart, namespace: string): string =>
  outcome === 'outdated' ? `  temporal schedule delete --namespace ${namespace} --schedule-id ${name}\n  ${byHand}\n` : `  ${byHand}\n`;

/**
 * Makes the search attributes and Schedules that the namespace lacks, and returns what there was and what it made. Fails with the
 * same and how the others are made by hand, if this process may not make them all.
 */
export async function prepareTemporal(settings: Settings): Promise<string> {
  const { temporalAddress: address, temporalNamespace: namespace } = settings;
  const temporal = openTemporal(temporalOptions(settings));
  try {
    const parts = await temporal.withDeadline(prepareDeadlineMs, () => prepareNamespace(temporal.client, temporal.taskQueue));
    const report = `Namespace ${namespace} of ${address}\n${parts.map(lineOf).join('')}`;
    const lacking = parts.filter(isLacking);
    if (lacking.length === 0) return report;
    throw new Error(`${report}\nTemporal does not let this process make ${lacking.length} of them. Make them as somebody who may:\n${lacking.map((part) => stepsOf(part, namespace)).join('')}`);
  } catch (error) {
    if (isNotFound(error)) throw new Error(`TEMPORAL_NAMESPACE: ${address} has no namespace ${namespace}; make it first`, { cause: error });
    throw error;
  } finally {
    await temporal.close();
  }
}
