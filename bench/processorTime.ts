import { readFileSync } from 'node:fs';

/** The kernel reports hundredths of a second to programs, regardless of its internal unit. */
const ticksPerSecond = 100;

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended, and its parent has inherited its times.
    return '';
  }
}

/** Returns utime, stime, cutime and cstime: the process itself, and its children that have ended. */
function ticksOf(pid: string): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The program's name, in parentheses, may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

function ticksOfTree(pid: string): number {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter((child) => child !== '');
  return ticksOf(pid) + children.reduce((sum, child) => sum + ticksOfTree(child), 0);
}

/** Returns the CPU seconds, user and system, that a process and its descendants have used. From /proc. */
export const processorSeconds = (pid: number): number => ticksOfTree(String(pid)) / ticksPerSecond;
