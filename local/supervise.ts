import { relative } from 'node:path';
import { messageOf } from './errors';
import { bringUp, type Launch, type Launcher, type RunningProgram } from './launch';
import type { ProcessRecord } from './processRecord';
import { describeExit, lastLines, startLog, type RunningProcess } from './processes';
import type { Progress } from './progress';

export interface Supervision {
  record: ProcessRecord;
  progress: Progress;
  /** Ends starts and restarts that are under way. */
  signal: AbortSignal;
  /** Called once a program cannot be kept up. */
  giveUp: (reason: Error) => void;
}

/** More than this many ends of one program within the time, and it is given up. */
export const restartBudget = { times: 5, withinMs: 60_000 };

class KeptUp implements RunningProgram {
  private readonly ends: number[] = [];
  private readonly stopping = new AbortController();
  private running: RunningProcess | undefined;
  private watching: Promise<void> = Promise.resolve();

  constructor(private readonly launch: Launch, private readonly supervision: Supervision) {}

  async start(): Promise<void> {
    startLog(this.launch.logFile);
    this.running = await bringUp(this.launch, this.supervision.record, this.supervision.signal);
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
      this.tellEnd(describeExit(exit));
      this.running = await this.restart();
    }
  }

  /** The program started anew; undefined when it is being stopped or has been given up. */
  private async restart(): Promise<RunningProcess | undefined> {
    const { record, progress, giveUp, signal } = this.supervision;
    while (this.mayRestart()) {
      try {
        return await progress.step(`Restarting ${this.launch.name}`, () =>
          bringUp(this.launch, record, AbortSignal.any([signal, this.stopping.signal])));
      } catch (error) {
        if (this.isStopping()) return undefined;
        progress.say(messageOf(error));
      }
    }
    giveUp(new Error(
      `${this.launch.name} ended more than ${restartBudget.times} times within ${restartBudget.withinMs / 1000} s; see ${this.log()}`,
    ));
    return undefined;
  }

  private mayRestart(): boolean {
    const now = Date.now();
    this.ends.push(now);
    return this.ends.filter((at) => at > now - restartBudget.withinMs).length <= restartBudget.times;
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted || this.supervision.signal.aborted;
  }

  private tellEnd(how: string): void {
    const tail = lastLines(this.launch.logFile, 8).split('\n').map((line) => `    ${line}`).join('\n');
    this.supervision.progress.say(`\n✗ ${this.launch.name} died: ${how}. The last lines of ${this.log()}:\n${tail}`);
  }

  private log(): string {
    return relative(process.cwd(), this.launch.logFile);
  }
}

/** A launcher that starts a program again when it ends by itself, on the same ports and data. */
export const keepUp = (supervision: Supervision): Launcher => async (launch) => {
  const program = new KeptUp(launch, supervision);
  await program.start();
  return program;
};
