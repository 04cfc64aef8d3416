import { setWorkflowOptions } from '@temporalio/workflow';
import * as workflows from './index';
import { versioningBehaviors } from './versioningBehaviors';

// Workers with a version host this module: Temporal refuses a behavior from those without one.
const behaviors = new Map(Object.entries(versioningBehaviors));
const hosted: Record<string, (...args: never[]) => Promise<unknown>> = { ...workflows };
for (const [type, workflow] of Object.entries(hosted)) {
  const versioningBehavior = behaviors.get(type);
  if (versioningBehavior !== undefined) setWorkflowOptions({ versioningBehavior }, workflow);
}

export * from './index';
