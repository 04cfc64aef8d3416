import { relative } from 'node:path';
import type { ConnectionFile } from './connection';

/** The one screen that a running stack shows. */
export function startupMessage(connection: ConnectionFile, localDir: string): string {
  const { base_url: base, api_key: key } = connection;
  const folder = relative(process.cwd(), localDir);
  const rows: [string, string][] = [
    ['Base URL', base],
    ['Docs', connection.docs_url],
    ['Temporal UI', connection.temporal_ui],
    ['Platform API', connection.platform_url],
    ['Apps API', connection.apps_url],
    ['Console', connection.console_url],
    ['Console token', connection.console_token],
    ['Worker', `${connection.worker_url}/readyz`],
    ['Demo key', key],
    ['Test key', `${connection.test_key}, of its sandbox`],
    ['Mail, logs', `${folder}/mail, ${folder}/logs`],
    ['As data', `${folder}/connection.json`],
  ];
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  return [
    '',
    'The Institution API is running. Ctrl-C stops it.',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
    '',
    'Try it:',
    '',
    `  curl -sw '\\n' ${authorization} ${base}/me`,
    `  curl -sw '\\n' ${authorization} -H 'Content-Type: application/json' -d '{"full_name":"Ada Lovelace"}' ${base}/students`,
    `  curl -sw '\\n' ${authorization} ${base}/events`,
    '',
  ].join('\n');
}
