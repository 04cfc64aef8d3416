import { join } from 'node:path';
import { startTemporal } from '../../local/programs/temporal';
import { startOwnServer, type OwnServer } from './dedicatedServer';

/** A Temporal server of one test file, which keeps its workflows in a file when it ends. */
export interface OwnTemporal extends OwnServer {
  address: string;
  namespace: string;
}

const namespace = 'faults';
/** Keeps what it was told when it is killed; only a crash of the machine would cost something. */
const databaseSettings = { journal_mode: 'wal', synchronous: 'off' };

/** Starts it on free ports. */
export async function startOwnTemporal(): Promise<OwnTemporal> {
  const { started, server } = await startOwnServer('temporal', ({ folder, ...parts }) =>
    startTemporal({ ...parts, namespaces: [namespace], databaseFile: join(folder, 'temporal.db'), databaseSettings }),
  );
  return { ...server, address: started.address, namespace };
}
