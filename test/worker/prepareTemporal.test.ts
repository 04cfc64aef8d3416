import { execFile } from 'node:child_process';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import Joi from 'joi';
import pino from 'pino';
import { projectRoot } from '../../local/projectRoot';
import { searchAttributeNames } from '../../outbound/temporal/searchAttributes';
import { startWorker } from '../../worker/start';
import { schedules } from '../../workflows/contract';
import { eventually } from '../support/eventually';
import { startGrpcProxy, type GrpcProxy } from '../support/grpcProxy';
import { environmentOf } from '../support/programs';
import { stack, type TestStack } from '../support/stack';
import { closeTestTemporal, createNamespace, openTestTemporal } from '../support/temporal';
import { waitUntilPolling } from '../support/worker';
import type { Settings } from '../../config/settings';

let own: TestStack;
let proxy: GrpcProxy;

beforeAll(async () => {
  own = await stack();
  proxy = await startGrpcProxy(own.temporalAddress);
  proxy.refuses = ({ method }) => ['AddSearchAttributes', 'CreateSchedule', 'UpdateSchedule'].includes(method);
});
afterAll(async () => {
  await closeTestTemporal();
  await proxy.close();
  await own.stop();
});

const newNamespace = (): Promise<string> => createNamespace(openTestTemporal(own.settings()));

const run = (overrides: Partial<Settings>) =>
  promisify(execFile)(process.execPath, ['--require', './test/support/compileSource.js', 'worker/migrateMain.ts', 'temporal'], {
    cwd: projectRoot(),
    env: { PATH: process.env.PATH, ...environmentOf(own.settings(overrides)) },
  });
const failureSchema = Joi.object<{ code: number; stderr: string }, true>({ code: Joi.number().required(), stderr: Joi.string().required() }).unknown();
const failure = (overrides: Partial<Settings>): Promise<{ code: number; stderr: string }> =>
  run(overrides).then(() => { throw new Error('It did not fail'); }, (error: unknown) => Joi.attempt(error, failureSchema));

const parts = [...searchAttributeNames.map((name) => `search attribute ${name}`), ...schedules.map(({ scheduleId }) => `Schedule ${scheduleId}`)];
const linesWith = (text: string, said: string): string[] => text.split('\n').filter((line) => line.endsWith(`: ${said}`)).map((line) => line.slice(0, -said.length - 2));

describe('npm run migrate -- temporal', () => {
  it('makes what the namespace lacks, says so, and changes nothing the next time', async () => {
    const temporalNamespace = await newNamespace();
    const { stdout } = await run({ temporalNamespace });
    expect(stdout).toContain(`Namespace ${temporalNamespace} of ${own.temporalAddress}\n`);
    expect(linesWith(stdout, 'made')).toEqual(parts);
    const again = await run({ temporalNamespace });
    expect(linesWith(again.stdout, 'is there')).toEqual(parts);
    // An identity that may make nothing may still look.
    expect(linesWith((await run({ temporalNamespace, temporalAddress: proxy.address })).stdout, 'is there')).toEqual(parts);
  });

  it('fails where it may not make them, with what to make by hand', async () => {
    const temporalNamespace = await newNamespace();
    const { code, stderr } = await failure({ temporalNamespace, temporalAddress: proxy.address });
    expect(code).toBe(1);
    expect(linesWith(stderr, 'MISSING')).toEqual(parts);
    expect(stderr).toContain(`Temporal does not let this process make ${parts.length} of them.`);
    expect(stderr).toContain(`temporal operator search-attribute create --namespace ${temporalNamespace} --name Outcome --type Keyword`);
    expect(stderr).toContain(`tcld namespace search-attributes add --namespace ${temporalNamespace} --search-attribute Outcome=Keyword`);
    expect(stderr).toContain(`temporal schedule create --namespace ${temporalNamespace} --schedule-id housekeeping --workflow-id housekeeping --type housekeeping --task-queue ${own.taskQueue} --calendar '{"hour":"4","minute":"0"}' --overlap-policy Skip --catchup-window 24h`);
    expect(stderr).toContain(`--calendar '{"dayOfWeek":"Monday","hour":"12","minute":"10"}'`);
  });

  it('says that the namespace does not exist', async () => {
    const { code, stderr } = await failure({ temporalNamespace: 'nobody-made-it' });
    expect([code, stderr]).toEqual([1, `TEMPORAL_NAMESPACE: ${own.temporalAddress} has no namespace nobody-made-it; make it first\n`]);
  });
});

it('a worker that may not make them runs, and logs once what is missing, and says of nothing that it has made it', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  }));
  const worker = await startWorker(own.settings({ temporalNamespace: await newNamespace(), temporalAddress: proxy.address }), logger, { temporalLooksEveryMs: 50 });
  try {
    await waitUntilPolling(worker);
    const tries = (): number => proxy.calls.filter(({ method }) => method === 'CreateSchedule').length;
    const before = tries();
    await eventually('further tries to make each Schedule', () => tries() >= before + 3 * schedules.length);
    const messages = lines.map((line) => String(JSON.parse(line).msg)).filter((message) => !message.startsWith('No workflows registered'));
    expect(messages).toEqual(['the namespace of Temporal lacks what this worker may not make: "npm run migrate -- temporal" makes it, or says how']);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ lacks: parts.map((part) => `${part} (missing)`) });
  } finally {
    await worker.stop();
  }
});
