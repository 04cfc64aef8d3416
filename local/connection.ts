import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from './jsonFile';

/** How to reach a running stack: the content of .local/connection.json. */
export interface ConnectionFile {
  base_url: string;
  docs_url: string;
  api_key: string;
  /** A key of the demo institution's sandbox. */
  test_key: string;
  institution_id: string;
  platform_url: string;
  /** The apps' listener; ends with /platform/v1. */
  apps_url: string;
  platform_token: string;
  console_url: string;
  /** The personal token with which the demo's supporter signs in to the console. */
  console_token: string;
  /** The listener of the worker: /readyz and /metrics. */
  worker_url: string;
  temporal_address: string;
  temporal_ui: string;
  database_url: string;
  redis_url: string;
  mail_dir: string;
  /** Webhooks may go to it on 127.0.0.1: the demo listens there. */
  demo_receiver_port: number;
}

const connectionFilePath = (localDir: string): string => join(localDir, 'connection.json');

/** Writes how to reach the stack; the file exists only while the stack runs. */
export function writeConnection(localDir: string, connection: ConnectionFile): void {
  writeJson(connectionFilePath(localDir), connection);
}

export function removeConnection(localDir: string): void {
  rmSync(connectionFilePath(localDir), { force: true });
}
