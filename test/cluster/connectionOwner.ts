import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const loopback = '0100007F';
const column = { local: 1, inode: 9 } as const;

/** The inode of the socket that has this port of the loopback, as Linux lists it. */
function inodeOfPort(port: number): string | undefined {
  const wanted = `${loopback}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const columns = line.trim().split(/\s+/);
    if (columns[column.local] === wanted) return columns[column.inode];
  }
  return undefined;
}

function holdsSocket(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((descriptor) => {
      try {
        return readlinkSync(`${folder}/${descriptor}`) === `socket:[${inode}]`;
      } catch {
        return false; // It was closed meanwhile.
      }
    });
  } catch {
    return false; // The process has ended.
  }
}

/** The name of the process whose connection has this port of the loopback; undefined if none of them has it. Needs Linux. */
export function connectionOwner(port: number, pids: Iterable<readonly [name: string, pid: number]>): string | undefined {
  const inode = inodeOfPort(port);
  if (inode === undefined) return undefined;
  for (const [name, pid] of pids) if (holdsSocket(pid, inode)) return name;
  return undefined;
}
