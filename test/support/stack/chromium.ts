import { existsSync } from 'node:fs';
import { errorMessage } from '../../../local/errors';
import { findProgram } from '../../../local/findProgram';
import { installWithApt, canInstall } from '../../../local/programs/apt';
import type { ProcessRecord } from '../../../local/processRecord';
import type { Progress } from '../../../local/progress';

/** Where the browser of the browser tests is, or why there is none. */
export interface FoundChromium {
  path: string | null;
  missing: string;
}

interface ChromiumOptions {
  /** CHROMIUM_PATH names a browser to be used as it is. */
  environment: NodeJS.ProcessEnv;
  logFile: string;
  record: ProcessRecord;
  progress: Progress;
}

const defaultPath = '/usr/bin/chromium';

const find = (environment: NodeJS.ProcessEnv): string | undefined =>
  existsSync(defaultPath) ? defaultPath : findProgram(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'], environment);

/** Finds Chromium, or installs it where that is possible. Only the browser tests fail without one. */
export async function findChromium(options: ChromiumOptions): Promise<FoundChromium> {
  const { CHROMIUM_PATH: named } = options.environment;
  if (named !== undefined) return existsSync(named) ? { path: named, missing: '' } : { path: null, missing: `CHROMIUM_PATH names ${named}, which is not there` };
  const present = find(options.environment);
  if (present !== undefined) return { path: present, missing: '' };
  const reason = canInstall() ? await installWithApt('Chromium', 'chromium', options).then(() => '', (error: unknown) => ` (${errorMessage(error)})`) : '';
  const installed = find(options.environment);
  if (installed !== undefined) return { path: installed, missing: '' };
  return {
    path: null,
    missing: 'No Chromium: name one in CHROMIUM_PATH, or install chromium so that it is on PATH, or run the tests as root on a Debian family '
      + `system, where it is installed with apt-get${reason}`,
  };
}
