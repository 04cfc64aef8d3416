import { relative } from 'node:path';
import { errorMessage } from './errors';
import { startUntilReady, type Launch, type Launcher, type RunningProgram } from './launch';
import type { ProcessRecord } from './processRecord';
import { describeExit, lastLines, beginLog, type RunningProcess } from './processes';
import type { Progress } from './progress';

export interface Supervision {
  record: ProcessRecord;
  progress: Progress;
  /** Aborts starts and restarts in progress. */
  signal: AbortSignal;
  /** Called once a program cannot be kept up. */
  onGiveUp: (reason: Error) => void;
}

/** More than this many ends of one program within the time, and it is given up. */
export const restartBudget = { times: 5, withinMs: 60_000 };

class SupervisedProgram implements RunningProgram {
  private readonly exitTimes: number[] = [];
  private readonly stopping = new AbortController();
  private running: RunningProcess | undefined;
  private watching: Promise<void> = Promise.resolve();

  constructor(private readonly launch: Launch, private readonly supervision: Supervision) {}

  async start(): Promise<void> {
    beginLog(this.launch.logFile);
    this.running = await startUntilReady(this.launch, this.supervision.record, this.supervision.signal);
    this.watching = this.watch();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await this.running?.stop(graceMs);
    await this.watching;
  }

  private async watch(): Promise<void> {
    while (this.running !== undefined) {
      const exit = await this.running.exited;
      if (this.isStopping()) return;
      this.reportExit(describeExit(exit));
      this.running = await this.restart();
    }
  }

  /** The restarted program; undefined if it is being stopped or no longer restarted. */
  private async restart(): Promise<RunningProcess | undefined> {
    const { record, progress, onGiveUp, signal } = this.supervision;
    while (this.canRestart()) {
      try {
        return await progress.step(`Restarting ${this.launch.name}`, () =>
          startUntilReady(this.launch, record, AbortSignal.any([signal, this.stopping.signal])));
      } catch (error) {
        if (this.isStopping()) return undefined;
        progress.log(errorMessage(error));
      }
    }
    onGiveUp(new Error(
      `${this.launch.name} ended more than ${restartBudget.times} times within ${restartBudget.withinMs / 1000} s; see ${this.log()}`,
    ));
    return undefined;
  }

  private canRestart(): boolean {
    const now = Date.now();
    this.exitTimes.push(now);
    return this.exitTimes.filter((at) => at > now - restartBudget.withinMs).length <= restartBudget.times;
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted || this.supervision.signal.aborted;
  }

  private reportExit(exitDescription: string): void {
    const tail = lastLines(this.launch.logFile, 8).split('\n').map((line) => `    ${line.slice(0, 400)}`).join('\n');
    this.supervision.progress.log(`\n✗ ${this.launch.name} died: ${exitDescription}. The last lines of ${this.log()}:\n${tail}`);
  }

  private log(): string {
    return relative(process.cwd(), this.launch.logFile);
  }
}

/** A launcher that starts a program again when it ends by itself, on the same ports and data. */
export const supervisedLauncher = (supervision: Supervision): Launcher => async (launch) => {
  const program = new SupervisedProgram(launch, supervision);
  await program.start();
  return program;
};
