import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../local/ports';
import { startDedicatedServer, type DedicatedServer } from './dedicatedServer';
import { s3ServerPath } from './stack';

/** An S3-compatible server of one test file, with one empty bucket. */
export interface DedicatedS3Server extends DedicatedServer {
  bucket: string;
  region: string;
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** The folder of its objects, each a file under its key. */
  objects: string;
}

const bucket = 'school-files';
const region = 'eu-central-1';

async function requireResponse(endpoint: string): Promise<void> {
  const { status } = await fetch(endpoint, { signal: AbortSignal.timeout(1_000) });
  if (status >= 500) throw new Error(`the S3 server answers ${status}`);
}

/** Starts versitygw over a folder, on a free port. */
export async function startS3Server(): Promise<DedicatedS3Server> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'tests', secretAccessKey: randomBytes(16).toString('hex') };
  const { started, server } = await startDedicatedServer('s3', async ({ folder, environment, logFile, launcher }) => {
    const [root, attributes] = [join(folder, 'buckets'), join(folder, 'attributes')];
    const objects = join(root, bucket);
    mkdirSync(objects, { recursive: true });
    mkdirSync(attributes);
    const running = await launcher({
      name: 's3',
      program: s3ServerPath(),
      args: ['--port', `127.0.0.1:${port}`, '--region', region, '--quiet', '--keep-alive', 'posix', '--sidecar', attributes, root],
      env: { ...environment, ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
      logFile,
      stopSignal: 'SIGTERM',
      readyWithinMs: 10_000,
      ready: () => requireResponse(endpoint),
    });
    return { objects, stop: (graceMs: number) => running.stop(graceMs) };
  });
  return { ...server, bucket, region, endpoint, credentials, objects: started.objects };
}
