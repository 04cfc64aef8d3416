import { readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second for programs, whatever it counts in itself. */
const ticksPerSecond = 100;

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended, and its parent has inherited what it used.
    return '';
  }
}

/** utime, stime, cutime and cstime: the process itself, and its children that have ended. */
function ticksOf(pid: string): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

function ticksOfTree(pid: string): number {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter((child) => child !== '');
  return ticksOf(pid) + children.reduce((sum, child) => sum + ticksOfTree(child), 0);
}

/** CPU seconds, user and system, that a process and all that it has started have used so far. From /proc. */
export const processorSeconds = (pid: number): number => ticksOfTree(String(pid)) / ticksPerSecond;
