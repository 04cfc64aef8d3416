import type { Command } from 'commander';
import { admin } from './commands/admin';
import { audit } from './commands/audit';
import { completion } from './commands/completion';
import { config, me } from './commands/config';
import { coupons } from './commands/coupons';
import { curricula } from './commands/curricula';
import { deliveries } from './commands/deliveries';
import { disclosures } from './commands/disclosures';
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
import type { OpenCliContext, OpenEitherContext, OpenKeyContext, OpenLocalContext } from './context';

/** A command, or a group of commands; a group has a description here. */
export type CommandEntry = { name: string; description?: string } & (
  | { for: 'integrator'; add: (command: Command, open: OpenKeyContext) => void }
  | { for: 'both'; add: (command: Command, open: OpenEitherContext) => void }
  /** `instead` is what a key has in its place. */
  | { for: 'operator'; instead: string; add: (command: Command, open: OpenCliContext) => void }
  | { for: 'local'; add: (command: Command, open: OpenLocalContext) => void }
);

/** The headings of the help. */
export const headings: Record<CommandEntry['for'], string> = {
  integrator: 'For integrators, with API_KEY and BASE_URL:',
  operator: 'For operators, with PLATFORM_TOKEN and PLATFORM_URL:',
  both: 'For both, with API_KEY and BASE_URL, or with PLATFORM_TOKEN and PLATFORM_URL:',
  local: 'For both, without either:',
};

/** Every command and group, in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  { name: 'listen', for: 'integrator', add: listen },
  { name: 'trigger', for: 'integrator', add: trigger },
  { name: 'events', for: 'integrator', description: 'The event feed: list, get, tail, types.', add: events },
  { name: 'me', for: 'integrator', add: me },
  { name: 'institutions', for: 'operator', instead: "GET /institution has the key's, institution events list its events", description: 'Institutions: create, approve, suspend; their events.', add: institutions },
  { name: 'admin', for: 'operator', instead: 'the admin hands the role over in the portal', description: 'The admin of an institution: suspend, reactivate, hand the role over.', add: admin },
  { name: 'staff', for: 'operator', instead: 'the developers of an institution are invited in its portal', description: 'Staff of the platform, and their personal tokens.', add: staff },
  { name: 'keys', for: 'operator', instead: 'the admin and the developers of an institution make keys in its portal', description: 'API keys of an institution.', add: keys },
  { name: 'endpoints', for: 'both', description: 'Webhook endpoints of an institution: circuits, backlogs, statistics, tests, secrets.', add: endpoints },
  { name: 'deliveries', for: 'both', description: 'Deliveries of webhooks.', add: deliveries },
  { name: 'replay-dead', for: 'both', add: replayDead },
  { name: 'recover', for: 'both', add: recover },
  { name: 'explain', for: 'operator', instead: 'institution deliveries list has the deliveries of events, institution deliveries show the attempts of one, institution recover --dry-run what has none', add: explain },
  { name: 'search', for: 'operator', instead: 'the lists of the API have filters, such as email and student_id of GET /students; institution events get finds an event', add: search },
  { name: 'audit', for: 'operator', instead: 'the admin reads the log in the portal, and GET /students/{id}/disclosures has who has read of a student', add: audit },
  { name: 'disclosures', for: 'operator', instead: 'GET /students/{id}/disclosures and GET /faculty/{id}/disclosures', add: disclosures },
  { name: 'workflows', for: 'operator', instead: 'institution deliveries list --sent-by rpl_… has what a replay has sent', description: 'Workflows in Temporal.', add: workflows },
  { name: 'coupons', for: 'operator', instead: 'GET /coupons/batches', description: 'Coupon batches: show, approve, reject.', add: coupons },
  { name: 'allowance', for: 'operator', instead: 'GET /merits/allowance shows it', description: 'The allowance of an institution, for merit credits.', add: allowance },
  { name: 'curricula', for: 'operator', instead: 'GET /alpha/curricula', description: 'Curricula of Alpha Learning.', add: curricula },
  { name: 'health', for: 'operator', instead: 'institution me shows whether the API answers', add: health },
  { name: 'open', for: 'local', add: openPage },
  { name: 'config', for: 'local', add: config },
  { name: 'completion', for: 'local', add: completion },
];

/** Whose the commands are, and the page that has them, for who typed one that does not exist. */
const audiences: readonly { for: readonly CommandEntry['for'][]; words: string }[] = [
  { for: ['integrator'], words: 'for integrators (docs/cli.md)' },
  { for: ['operator'], words: 'for operators (docs/operations/cli.md)' },
  { for: ['both', 'local'], words: 'for both' },
];

/** Names the commands of each audience. */
export const describeCommands = (): string =>
  audiences.map((audience) => `${audience.words}: ${commandTable.filter((entry) => audience.for.includes(entry.for)).map(({ name }) => name).join(', ')}`).join('; ');
