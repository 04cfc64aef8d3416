import { readSettings, type Settings } from '../config/settings';
import { openTemporal, temporalOptions } from '../outbound/temporal/engine';
import { grpcCodes, grpcErrorOf } from '../outbound/temporal/grpcCode';
import { workerVersions } from '../outbound/temporal/workerVersions';
import { promote, ramp, rollback, status, type DeployDeps } from './deploy/commands';

const usage = `Usage: deploy status|promote|ramp <percent>|rollback
  deploy status          shows which version of the workers is current, and whose workers must stay
  deploy promote         sends all workflows that may move to this release, once its workers have registered
  deploy ramp <percent>  sends that part of them to this release, 1 to 100
  deploy rollback        sends those of this release to the version before
`;

/** How long a command waits for the workers of this release, in ms. */
const registrationMs = 120_000;

/** Returns the command of the arguments; undefined if there is none. */
function commandOf([name = '', ...args]: readonly string[]): ((deps: DeployDeps) => Promise<string>) | undefined {
  const [percent = ''] = args;
  if (name === 'ramp' && args.length === 1 && /^([1-9]\d?|100)$/.test(percent)) return (deps) => ramp(deps, Number(percent));
  return args.length === 0 ? new Map(Object.entries({ status, promote, rollback })).get(name) : undefined;
}

const doesNotRespond = (address: string): string => `Temporal does not respond at ${address}.`;

/** What an operator reads of an error of Temporal, by its gRPC code. */
const grpcTexts: Record<number, (address: string, detail: string) => string> = {
  [grpcCodes.deadlineExceeded]: doesNotRespond,
  [grpcCodes.permissionDenied]: (_address, detail) => `Temporal does not allow it: ${detail}`,
  [grpcCodes.unimplemented]: () => 'This Temporal server has no worker versions.',
  [grpcCodes.unavailable]: doesNotRespond,
  [grpcCodes.unauthenticated]: (_address, detail) => `Temporal does not know these credentials: ${detail}`,
};

function textOf(error: unknown, address: string): string {
  const found = grpcErrorOf(error);
  if (found === undefined) return error instanceof Error ? error.message : String(error);
  return grpcTexts[found.code]?.(address, found.details) ?? `Temporal refuses it: ${found.details}`;
}

async function run(settings: Settings, command: (deps: DeployDeps) => Promise<string>): Promise<string> {
  const { workerDeployment, taskQueue, temporalAddress } = settings;
  if (workerDeployment === null) throw new Error('TEMPORAL_DEPLOYMENT_NAME is not set: workers have no version, and there is none to choose.');
  const temporal = openTemporal(temporalOptions(settings));
  try {
    return await command({ ...workerDeployment, taskQueue, versions: workerVersions(temporal, workerDeployment.deploymentName), withinMs: registrationMs });
  } catch (error) {
    throw new Error(textOf(error, temporalAddress), { cause: error });
  } finally {
    await temporal.close();
  }
}

async function main(): Promise<void> {
  const command = commandOf(process.argv.slice(2));
  if (command === undefined) throw new Error(usage);
  process.stdout.write(await run(readSettings(), command));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
