import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** A part of a core that a process may use. */
export interface CpuShare {
  /** Lets the process use all again. */
  end(): void;
}

const root = '/sys/fs/cgroup/cpu';
const periodUs = 100_000;
const ticksPerSecond = 100;

/** Lets a process run on these cores alone. */
function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' });
}

/**
 * Limits a process with all its threads to a part of the first core, by a control group (version 1), as root: on one core those that are
 * limited never run at the same moment, which on two threads of one core would make each of them slower.
 */
export function limitCpu(name: string, pid: number, share: number): CpuShare {
  if (!existsSync(root)) throw new Error(`There is no ${root}: CPU shares are set by control groups of version 1`);
  const group = join(root, `institution-${name}`);
  mkdirSync(group, { recursive: true });
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs));
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(periodUs * share)));
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  pin(pid, '0');
  return {
    end: () => {
      try {
        pin(pid, `0-${cpus().length - 1}`);
        writeFileSync(join(root, 'cgroup.procs'), String(pid));
      } catch {
        // It has ended.
      }
      rmdirSync(group);
    },
  };
}

/** The CPU time that a process has used, in seconds. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
