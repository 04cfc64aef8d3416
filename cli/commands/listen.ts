import { Option, type Command } from 'commander';
import type { KeyContext, OpenKeyContext } from '../context';
import { forward, parseReceiver, parseSecret, type ForwardResult } from '../forward';
import { readFeed } from '../feed';
import { parseMoment, sinceWords } from '../options';
import { escapeControlCharacters } from '../terminalText';
import type { CommandTimeZone, Moment } from '../timeZone';
import { newSecret } from '../webhookSignature';
import { follow, givenTypes, sourceOf, withTypeOption, type TypeOptions } from './events';

interface ListenOptions extends TypeOptions {
  forwardTo: string;
  secret?: string;
  since?: Moment;
  allowRemote?: boolean;
}

/** Returns what a line shows of a result; with the body of an error response on the same line. */
function resultText({ response_code, delivered, message, response_body: body }: ForwardResult): string {
  if (delivered) return String(response_code);
  if (response_code === null) return `failed: ${message ?? 'no response'}`;
  return `failed: ${response_code} ${(body ?? '').replaceAll(/\s+/g, ' ')}`.trimEnd();
}

const formatResult = (result: ForwardResult, timeZone: CommandTimeZone): string =>
  `${[timeZone.show(result.created_at), result.type, result.id, resultText(result), `${result.duration_ms} ms`].map(escapeControlCharacters).join('  ')}\n`;

/** Returns the secret to sign with; one that is made for this run is shown, because its receiver needs it. */
function requireSecret(context: KeyContext, given: string | undefined): string {
  if (given !== undefined && given !== '') return parseSecret(given);
  const made = newSecret();
  context.note(`Signed with ${made}, made for this run; --secret or WEBHOOK_SECRET takes one of yours.`);
  return made;
}

export function listen(command: Command, open: OpenKeyContext): void {
  withTypeOption(command, 'events')
    .description('Send each event, as it comes, to a receiver on this machine, signed as the service signs, until Ctrl-C.')
    .requiredOption('--forward-to <url>', 'the receiver: localhost:3000/hooks, or 3000/hooks (required)')
    .addOption(new Option('--secret <secret>', 'whsec_… to sign with, or one is made; ps shows it: prefer the variable').env('WEBHOOK_SECRET'))
    .option('--since <moment>', sinceWords('begin after', 'now'), parseMoment)
    .option('--allow-remote', 'the receiver may be on another machine')
    .action(async ({ forwardTo, secret: given, since, allowRemote = false, ...options }: ListenOptions) => {
      const types = givenTypes(options);
      const url = parseReceiver(forwardTo, allowRemote);
      const context = await open();
      // A key that must not read events is refused before anything is said.
      await readFeed(context, { types: [] }, undefined, 1);
      const secret = requireSecret(context, given);
      context.note(`Events${types.length === 0 ? '' : ` of ${types.join(', ')}`} ${sourceOf(context)} go to ${url.href}; Ctrl-C ends it.`);
      await follow(context, { types, since }, async (event) => {
        const result = await forward(event, { url, secret, signal: context.signal });
        context.printLine(result, () => formatResult(result, context.timeZone));
      });
    });
}
