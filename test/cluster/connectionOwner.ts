import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const loopback = '0100007F';
/** What Linux lists of a socket, counted from its own address: the inode. */
const inodeColumn = 8;

/**
 * Returns the sockets of the machine as Linux lists them, from a moment after the call. Reading takes tens of milliseconds
 * where tens of thousands of connections are closing: it holds up nobody, and calls meanwhile share the next reading.
 */
function createSocketReader(): () => Promise<string> {
  let reading: Promise<string> | undefined;
  let next: Promise<string> | undefined;
  const begin = (): Promise<string> => {
    next = undefined;
    const begun = readFile('/proc/net/tcp', 'utf8').finally(() => {
      if (reading === begun) reading = undefined;
    });
    reading = begun;
    return begun;
  };
  return () => {
    if (reading === undefined) return begin();
    next ??= reading.then(begin);
    return next;
  };
}

const readSockets = createSocketReader();

/** The inode of the socket that has this port of the loopback. */
async function inodeOfPort(port: number): Promise<string | undefined> {
  const sockets = await readSockets();
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
export async function connectionOwner(port: number, pids: Iterable<readonly [name: string, pid: number]>): Promise<string | undefined> {
  const inode = await inodeOfPort(port);
  if (inode === undefined) return undefined;
  for (const [name, pid] of pids) if (holdsSocket(pid, inode)) return name;
  return undefined;
}
