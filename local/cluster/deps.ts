import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Launch, Launcher, RunningProgram } from '../launch';
import { beginLog } from '../processes';
import type { ProcessRecord } from '../processRecord';
import type { Progress } from '../progress';
import type { ClusterPrograms } from './programs';

/** What every part of the cluster is started with. */
export interface ClusterDeps {
  /** Without variables that are set to nothing. */
  environment: NodeJS.ProcessEnv;
  /** Where it keeps its data. */
  localDir: string;
  record: ProcessRecord;
  /** Starts a program again when it ends by itself. */
  launcher: Launcher;
  progress: Progress;
  programs: ClusterPrograms;
}

/** Where a program's output goes. */
export const clusterLog = ({ localDir }: Pick<ClusterDeps, 'localDir'>, name: string): string => join(localDir, 'logs', `${name}.log`);

/** Starts a program of the cluster; its name is the one of its log. */
export function launchMember(deps: Omit<ClusterDeps, 'programs'>, launch: Omit<Launch, 'logFile' | 'stopSignal'> & Partial<Pick<Launch, 'stopSignal'>>): Promise<RunningProgram> {
  const logFile = clusterLog(deps, launch.name);
  mkdirSync(dirname(logFile), { recursive: true });
  beginLog(logFile);
  return deps.launcher({ env: deps.environment, stopSignal: 'SIGTERM', ...launch, logFile });
}
