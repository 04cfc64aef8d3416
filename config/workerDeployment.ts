import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { projectRoot } from '../lib/projectRoot';

/** The version that a process's workers have in Temporal. */
export interface WorkerDeployment {
  deploymentName: string;
  buildId: string;
}

/** Far below half of the longest id that Temporal takes: both names stand in one. */
const maxLength = 100;

/** The variables of worker versions. */
export const workerDeploymentVariables = {
  // Empty: workers have no version.
  TEMPORAL_DEPLOYMENT_NAME: Joi.string().max(maxLength).pattern(/^[A-Za-z0-9][\w-]*$/, 'letters, digits, - and _').allow('').default(''),
  // Empty: the version of the release.
  TEMPORAL_BUILD_ID: Joi.string().max(maxLength).pattern(/^[A-Za-z0-9][\w.+-]*$/, 'letters, digits, ., +, - and _').allow('').default(''),
};

function releaseVersion(): string {
  const release: unknown = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'));
  if (typeof release === 'object' && release !== null && 'version' in release && typeof release.version === 'string') return release.version;
  throw new Error('package.json has no version: set TEMPORAL_BUILD_ID');
}

/** Returns the version of this process's workers; null if they have none. */
export function parseWorkerDeployment(text: (name: keyof typeof workerDeploymentVariables) => string): WorkerDeployment | null {
  const deploymentName = text('TEMPORAL_DEPLOYMENT_NAME');
  return deploymentName === '' ? null : { deploymentName, buildId: text('TEMPORAL_BUILD_ID') || releaseVersion() };
}
