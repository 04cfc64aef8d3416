import { join } from 'node:path';
import { startTemporal } from '../../local/programs/temporal';
import { startDedicatedServer, type DedicatedServer } from './dedicatedServer';

/** A Temporal server of one test file, which keeps its workflows in a file when it ends. */
export interface DedicatedTemporal extends DedicatedServer {
  address: string;
  namespace: string;
}

const namespace = 'faults';
/** Keeps its data when it is killed; only a crash of the machine would cost something. */
const databaseSettings = { journal_mode: 'wal', synchronous: 'off' };

/** Starts it on free ports. */
export async function startDedicatedTemporal(): Promise<DedicatedTemporal> {
  const { started, server } = await startDedicatedServer('temporal', ({ folder, ...parts }) =>
    startTemporal({ ...parts, namespaces: [namespace], databaseFile: join(folder, 'temporal.db'), databaseSettings }),
  );
  return { ...server, address: started.address, namespace };
}
