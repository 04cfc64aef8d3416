import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { findPage, type Page } from '../connection';
import type { LocalContext, OpenLocalContext } from '../context';
import { usageError } from '../errors';
import { SuggestedArgument } from '../options';

/** What can be opened. */
const pages: Record<Page, string> = {
  docs: 'the explorer of every operation',
  reference: 'the same',
  openapi: 'its description for programs',
  console: 'the support console',
  platform: "the platform API's description",
  temporal: "Temporal's Web UI of the local stack",
};

const isPage = (text: string): text is Page => Object.hasOwn(pages, text);

/** Returns the program that opens a URL here; undefined where nobody could see it. */
function findOpener({ environment }: LocalContext): [program: string, ...before: string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = [environment.DISPLAY, environment.WAYLAND_DISPLAY].some((value) => value !== undefined && value !== '');
  return hasDisplay ? ['xdg-open'] : undefined;
}

/** Opens a URL, and returns whether the program for it could be started. */
async function openUrl(context: LocalContext, url: string): Promise<boolean> {
  const [program, ...before] = findOpener(context) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...before, url], { stdio: 'ignore', detached: true });
  return once(child, 'spawn').then(
    () => {
      child.unref();
      return true;
    },
    () => false,
  );
}

export function openPage(command: Command, open: OpenLocalContext): void {
  command
    .description('Print the address of a page, and open it where there is a display.')
    .addArgument(new SuggestedArgument('[page]', `${Object.entries(pages).map(([name, what]) => `${name}: ${what}`).join('; ')} (default docs)`, Object.keys(pages)))
    .option('--print', 'only print it')
    .action(async (given: string | undefined, { print }: { print?: true }) => {
      const page = given ?? 'docs';
      if (!isPage(page)) throw usageError(`There is no page of this name; there are ${Object.keys(pages).join(', ')}.`);
      const context = open();
      const url = findPage(context.environment, context.folder, page);
      const opened = print === undefined && (await openUrl(context, url));
      context.print({ page, url, opened }, () => `${url}\n`);
    });
}
