import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports';
import { launchMember, type ClusterDeps } from './deps';

const bucket = 'institution-files';
const region = 'eu-central-1';

/** Starts an S3 server over a folder with one empty bucket; returns what the service's environment says of it. */
export async function startBucket(deps: ClusterDeps, secret: string): Promise<Record<'FILE_STORE_URL' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const [root, attributes] = [join(deps.localDir, 's3', 'buckets'), join(deps.localDir, 's3', 'attributes')];
  mkdirSync(join(root, bucket), { recursive: true });
  mkdirSync(attributes, { recursive: true });
  const accessKey = 'institution';
  await launchMember(deps, {
    name: 's3',
    program: deps.programs.s3Server,
    args: ['--port', `127.0.0.1:${port}`, '--region', region, '--quiet', '--keep-alive', 'posix', '--sidecar', attributes, root],
    env: { ...deps.environment, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secret },
    readyWithinMs: 20_000,
    ready: async () => {
      const { status } = await fetch(endpoint, { signal: AbortSignal.timeout(1_000) });
      if (status >= 500) throw new Error(`the S3 server answers ${status}`);
    },
  });
  return { FILE_STORE_URL: `s3://${bucket}?region=${region}&endpoint=${endpoint}`, AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secret };
}
