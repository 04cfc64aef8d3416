import { join } from 'node:path';
import Joi from 'joi';
import type { ConnectionFile } from '../connection';
import { readJson } from '../jsonFile';
import { resolveLocalDir } from '../options';

/** What the demo needs of a running stack. */
export type RunningStack = Pick<ConnectionFile, 'base_url' | 'api_key' | 'apps_url' | 'temporal_ui' | 'mail_dir' | 'demo_receiver_port'>;

const text = Joi.string().required();
const stackSchema = Joi.object<RunningStack>({
  base_url: text,
  api_key: text,
  apps_url: text,
  temporal_ui: text,
  mail_dir: text,
  demo_receiver_port: Joi.number().integer().required(),
}).unknown();

/** How to reach the stack that runs; raises when none does. */
export function runningStack(): RunningStack {
  const found = readJson(join(resolveLocalDir(process.env), 'connection.json'), stackSchema);
  if (found === undefined) throw new Error('The stack is not running: start it with `npm start` in another terminal');
  return found;
}

/** The page of one workflow in the Temporal Web UI. */
export const workflowPage = ({ temporal_ui }: RunningStack, workflowId: string): string =>
  `${temporal_ui}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
