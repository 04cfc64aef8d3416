import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from '../processes';
import type { ProgramSource } from './sdkDownload';

/** A program of a Go module of ours, whose `go.sum` pins everything that is compiled. */
export interface GoProgram {
  /** What the terminal shows during the build. */
  title: string;
  /** Import path of its package. */
  program: string;
  /** The folder of the module. */
  module: string;
  /** Name of the build's log, in the folder of the other logs. */
  logName: string;
}

const buildWithinMs = 30 * 60_000;
const progressIntervalMs = 2_000;

/** The compiler names each package when it is done with it. */
const countBuiltPackages = (logFile: string): number => {
  try {
    return readFileSync(logFile, 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
};

/** Compiles a program to `target`; throws with the end of the compiler's log. */
export async function buildWithGo(go: string, target: string, source: ProgramSource, { title, program, module, logName }: GoProgram): Promise<void> {
  const logFile = join(dirname(source.logFile), logName);
  await source.progress.step(title, async (detail) => {
    const progressTimer = setInterval(() => detail(`${countBuiltPackages(logFile)} packages fetched and compiled`), progressIntervalMs);
    try {
      await runToEnd({
        name: 'go build',
        program: go,
        args: ['build', '-v', '-buildvcs=false', '-o', target, program],
        cwd: module,
        env: source.environment,
        logFile,
        stopSignal: 'SIGTERM',
      }, source.record, buildWithinMs);
    } finally {
      clearInterval(progressTimer);
    }
  });
}
