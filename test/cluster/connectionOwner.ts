import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const loopback = '0100007F';
/** What Linux lists of a socket, counted from its own address: the inode. */
const inodeColumn = 8;

/** The inode of the socket that has this port of the loopback, as Linux lists it. */
function inodeOfPort(port: number): string | undefined {
  const sockets = readFileSync('/proc/net/tcp', 'utf8');
  const at = sockets.indexOf(`: ${loopback}:${port.toString(16).toUpperCase().padStart(4, '0')} `);
  return at === -1 ? undefined : sockets.slice(at + 2, sockets.indexOf('\n', at)).trim().split(/\s+/)[inodeColumn];
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
