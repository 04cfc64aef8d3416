import { alreadyRunningMessage } from './alreadyRunning';
import { resolveLocalDir } from './options';

// `npm start` runs this from the earlier build before it builds again, for the processes of a running stack load from
// there. Only a yes ends with 0: where there is no earlier build, or half of one, it is built and started.
const running = alreadyRunningMessage(resolveLocalDir(process.env));
if (running === undefined) process.exitCode = 1;
else process.stdout.write(`✗ ${running}\n`);
