import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectionOwner } from './connectionOwner';
import { startReceiver } from '../support/receiver';

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('an arrival has the name of the process that sent it', async () => {
  const receiver = await startReceiver();
  const script = `process.stdin.once('data', () => fetch('${receiver.url}', { method: 'POST', body: 'x' }).then((response) => response.text()).then(() => process.exit()))`;
  const other = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  receiver.senderOf = (port) => connectionOwner(port, [['this one', process.pid], ['the other one', other.pid ?? 0]]);
  try {
    const response = await fetch(receiver.url, { method: 'POST', body: 'x' });
    await response.text();
    const ended = once(other, 'exit');
    other.stdin.write('now\n');
    await ended;
    expect(receiver.received.map(({ sender }) => sender)).toEqual(['this one', 'the other one']);
    expect(await connectionOwner(1, [['this one', process.pid]])).toBeUndefined();
  } finally {
    other.kill();
    await receiver.close();
  }
});
