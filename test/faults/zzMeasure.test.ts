import { appendFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { startTestApi } from '../support/api';
import { startCollector } from '../support/collector';
import { openPrograms, type Program } from '../support/programs';

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const get = (url: string, key: string): Promise<number> => new Promise((resolve, reject) => {
  request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  }).on('error', reject).end();
});
const cpu = async ({ internalUrl }: Program): Promise<number> => {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
};

it('measures', async () => {
  const api = await startTestApi();
  const collector = await startCollector();
  const institution = await api.institution();
  await api.api.domain.database.sql('ALTER TABLE api_keys DISABLE TRIGGER ALL').catch(() => undefined);
  await api.api.domain.database.sql('UPDATE api_keys SET rate_limit_per_min = 6000').catch(console.error);
  const keys = [institution.apiKey];
  const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
  const programs = openPrograms();
  const environment = { ...collector.environment, OTEL_BSP_SCHEDULE_DELAY: '5000' };
  const scopes = ['students:write'];
  for (let n = 0; n < 12; n += 1) keys.push(await api.keyFor(institution, scopes));
  await api.api.domain.database.sql('UPDATE api_keys SET rate_limit_per_min = 6000').catch(console.error);
  const variants: Record<string, Program> = {
    off: await programs.api(api.settings),
    on: await programs.api(api.settings, environment),
    tenth: await programs.api(api.settings, { ...environment, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }),
  };
  const calls = Number(process.env.CALLS ?? 1500);
  let nth = 0;
  const run = async (program: Program): Promise<number> => {
    const before = await cpu(program);
    let left = calls;
    const statuses: Record<number, number> = {};
    const client = async () => {
      while (left > 0) { left -= 1; const status = await get(`${program.baseUrl}/students/${data.id}`, keys[nth++ % keys.length] ?? ''); statuses[status] = (statuses[status] ?? 0) + 1; }
    };
    await Promise.all([client(), client(), client(), client()]);
    if (statuses[200] !== calls) throw new Error(JSON.stringify(statuses));
    return ((await cpu(program)) - before) / calls * 1e6;
  };
  for (const program of Object.values(variants)) { await run(program); }
  for (let round = 0; round < Number(process.env.ROUNDS ?? 8); round += 1) {
    const line: string[] = [];
    for (const [name, program] of Object.entries(variants)) line.push(`${name} ${(await run(program)).toFixed(0)}`);
    appendFileSync('/tmp/w/otelpkg/measure.txt', `${process.version} ${line.join(' ')}\n`);
  }
  await programs.end();
  await api.stop();
  await collector.close();
}, 600_000);
