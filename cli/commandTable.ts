import type { Command } from 'commander';
import { admin } from './commands/admin';
import { audit } from './commands/audit';
import { completion } from './commands/completion';
import { config, me } from './commands/config';
import { coupons } from './commands/coupons';
import { curricula } from './commands/curricula';
import { deliveries } from './commands/deliveries';
import { endpoints } from './commands/endpoints';
import { events } from './commands/events';
import { explain } from './commands/explain';
import { health } from './commands/health';
import { allowance, institutions } from './commands/institutions';
import { keys } from './commands/keys';
import { listen } from './commands/listen';
import { openPage } from './commands/open';
import { recover, replayDead } from './commands/replayDead';
import { search } from './commands/search';
import { staff } from './commands/staff';
import { trigger } from './commands/trigger';
import { workflows } from './commands/workflows';
import type { OpenCliContext, OpenKeyContext, OpenLocalContext } from './context';

/** A command, or a group of commands; a group has a description here. */
export type CommandEntry = { name: string; description?: string } & (
  | { for: 'integrator'; add: (command: Command, open: OpenKeyContext) => void }
  | { for: 'operator'; add: (command: Command, open: OpenCliContext) => void }
  | { for: 'local'; add: (command: Command, open: OpenLocalContext) => void }
);

/** The headings of the help. */
export const headings: Record<CommandEntry['for'], string> = {
  integrator: 'For integrators, with API_KEY and BASE_URL:',
  operator: 'For operators, with PLATFORM_TOKEN and PLATFORM_URL:',
  local: 'For both:',
};

/** Every command and group, in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  { name: 'listen', for: 'integrator', add: listen },
  { name: 'trigger', for: 'integrator', add: trigger },
  { name: 'events', for: 'integrator', description: 'The event feed: list, get, tail, types.', add: events },
  { name: 'me', for: 'integrator', add: me },
  { name: 'institutions', for: 'operator', description: 'Institutions: create, approve, suspend; their events.', add: institutions },
  { name: 'admin', for: 'operator', description: 'The admin of an institution: suspend, reactivate, hand the role over.', add: admin },
  { name: 'staff', for: 'operator', description: 'Staff of the platform, and their personal tokens.', add: staff },
  { name: 'keys', for: 'operator', description: 'API keys of an institution.', add: keys },
  { name: 'endpoints', for: 'operator', description: 'Webhook endpoints of an institution: circuits, backlogs, statistics.', add: endpoints },
  { name: 'deliveries', for: 'operator', description: 'Deliveries of webhooks.', add: deliveries },
  { name: 'replay-dead', for: 'operator', add: replayDead },
  { name: 'recover', for: 'operator', add: recover },
  { name: 'explain', for: 'operator', add: explain },
  { name: 'search', for: 'operator', add: search },
  { name: 'audit', for: 'operator', add: audit },
  { name: 'workflows', for: 'operator', description: 'Workflows in Temporal.', add: workflows },
  { name: 'coupons', for: 'operator', description: 'Coupon batches: show, approve, reject.', add: coupons },
  { name: 'allowance', for: 'operator', description: 'The allowance of an institution, for merit credits.', add: allowance },
  { name: 'curricula', for: 'operator', description: 'Curricula of Alpha Learning.', add: curricula },
  { name: 'health', for: 'operator', add: health },
  { name: 'open', for: 'local', add: openPage },
  { name: 'config', for: 'local', add: config },
  { name: 'completion', for: 'local', add: completion },
];

/** Whose the commands are, and the page that has them, for who typed one that does not exist. */
const audiences: readonly { for: CommandEntry['for']; words: string }[] = [
  { for: 'integrator', words: 'for integrators (docs/cli.md)' },
  { for: 'operator', words: 'for operators (docs/operations/cli.md)' },
  { for: 'local', words: 'for both' },
];

/** Names the commands of each audience. */
export const describeCommands = (): string =>
  audiences.map((audience) => `${audience.words}: ${commandTable.filter((entry) => entry.for === audience.for).map(({ name }) => name).join(', ')}`).join('; ');
