import type { Command } from 'commander';
import { fullCommandName } from './help';

/** Examples of every command, by its name after the program's. */
export const examples: Record<string, readonly string[]> = {
  listen: [
    'institution listen --forward-to localhost:3000/hooks',
    "institution listen --forward-to localhost:3000/hooks --events 'exam.*' --secret whsec_c29tZSBzZWNyZXQgb2YgeW91cnM=",
    'institution listen --forward-to localhost:3000/hooks --since 24h --json',
  ],
  trigger: ['institution trigger exam.graded', 'institution trigger merits.credited --student stu_01jd4k6f2mep2s5xg5yhc8m1zr --json'],
  'events list': ["institution events list --type 'exam.*' --since 7d --until 24h", 'institution events list --since 2026-11-20T00:00:00Z --all --json'],
  'events get': ['institution events get evt_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'events tail': ['institution events tail', "institution events tail --type 'exam.*,merits.*' --since 30m --json"],
  'events types': ['institution events types'],
  me: ['institution me --json'],
  'institutions list': ['institution institutions list --all', 'institution institutions list --name school --json'],
  'institutions show': ['institution institutions show ins_01jd4k6f2mep2s5xg5yhc8m1zr', 'institution institutions show "North School"'],
  'institutions events': ['institution institutions events "North School" --type exam.graded --since 24h', 'institution institutions events "North School" --since 2026-11-20T09:00 --until 2026-11-20T10:00 --time-zone school', 'institution institutions events "North School" --about ada.9f86d081@north.example --since yesterday'],
  'institutions create': ['institution institutions create --name "North School" --login-domain north.example --admin-email office@north.example --admin-name "Ada Admin"'],
  'institutions approve': ['institution institutions approve "North School"'],
  'institutions suspend': ['institution institutions suspend ins_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'admin suspend': ['institution admin suspend "North School"'],
  'admin reactivate': ['institution admin reactivate "North School"'],
  'admin hand-over': ['institution admin hand-over "North School" teacher1.9f86d081@north.example'],
  'staff list': ['institution staff list --all'],
  'staff whoami': ['institution staff whoami'],
  'staff show': ['institution staff show sam@platform.example'],
  'staff add': ['institution staff add --name "Sam Support" --email sam@platform.example --role support'],
  'staff update': ['institution staff update sam@platform.example --role operator'],
  'staff revoke': ['institution staff revoke stf_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'staff tokens list': ['institution staff tokens list sam@platform.example --json'],
  'staff tokens create': ['institution staff tokens create sam@platform.example --name "First token" --days 1', 'institution staff tokens create --name "My next token"'],
  'staff tokens revoke': ['institution staff tokens revoke sam@platform.example stk_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'keys list': ['institution keys list "North School"'],
  'keys create': ['institution keys create "North School" --name SIS --scope students:write,webhooks:read', 'institution keys create "North School" --name CI --scope all --test --json | jq -r .api_key'],
  'keys revoke': ['institution keys revoke key_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'endpoints list': ['institution endpoints list', 'institution endpoints list "North School"', 'institution endpoints list "North School" --status open --time-zone school', 'institution endpoints list --status failing --all'],
  'endpoints show': ['institution endpoints show we_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'endpoints statistics': ['institution endpoints statistics we_01jd4k6f2mep2s5xg5yhc8m1zr --period 30d'],
  'endpoints pause': ['institution endpoints pause we_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'endpoints resume': ['institution endpoints resume we_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'endpoints test': ['institution endpoints test we_01jd4k6f2mep2s5xg5yhc8m1zr', 'institution endpoints test we_01jd4k6f2mep2s5xg5yhc8m1zr --event-type exam.graded --json'],
  'endpoints rotate-secret': ['institution endpoints rotate-secret we_01jd4k6f2mep2s5xg5yhc8m1zr --grace-hours 48'],
  'deliveries list': ['institution deliveries list --status dead --since 7d', 'institution deliveries list "North School" --status dead --since 7d --until 24h --response-code 5xx', 'institution deliveries list "North School" --endpoint we_01jd4k6f2mep2s5xg5yhc8m1zr --all --json'],
  'deliveries show': ['institution deliveries show whd_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'deliveries replay': ['institution deliveries replay whd_01jd4k6f2mep2s5xg5yhc8m1zr --ref ticket-4711'],
  'deliveries retry-now': ['institution deliveries retry-now whd_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'replay-dead': ['institution replay-dead we_01jd4k6f2mep2s5xg5yhc8m1zr --since 24h', 'institution replay-dead we_01jd4k6f2mep2s5xg5yhc8m1zr --since 7d --until 2d --response-codes 5xx --response-codes 429'],
  recover: ['institution recover we_01jd4k6f2mep2s5xg5yhc8m1zr --since "yesterday 14:00" --dry-run', "institution recover we_01jd4k6f2mep2s5xg5yhc8m1zr --since 7d --event-types 'exam.*'"],
  explain: ['institution explain evt_01jd4k6f2mep2s5xg5yhc8m1zr', 'institution explain evt_01jd4k6f2mep2s5xg5yhc8m1zr --time-zone school'],
  search: ['institution search req_01jd4k6f2mep2s5xg5yhc8m1zr', 'institution search ada.9f86d081@north.example --json'],
  audit: ['institution audit "North School" --since 24h', 'institution audit "North School" --target we_01jd4k6f2mep2s5xg5yhc8m1zr --operation updateWebhookEndpoint', 'institution audit --target stf_01jd4k6f2mep2s5xg5yhc8m1zr', 'institution audit "North School" --by platform --since 2026-11-20T09:00 --time-zone school'],
  disclosures: ['institution disclosures ada.9f86d081@north.example --time-zone school', 'institution disclosures stu_01jd4k6f2mep2s5xg5yhc8m1zr --since 7d --by key_01jd4k6f2mep2s5xg5yhc8m1zr', 'institution disclosures stu_01jd4k6f2mep2s5xg5yhc8m1zr --lists --since yesterday'],
  'workflows show': ['institution workflows show whd_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'coupons list': ['institution coupons list "North School"'],
  'coupons show': ['institution coupons show cpb_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'coupons approve': ['institution coupons approve cpb_01jd4k6f2mep2s5xg5yhc8m1zr --reason "Agreed for this term"'],
  'coupons reject': ['institution coupons reject cpb_01jd4k6f2mep2s5xg5yhc8m1zr --reason "Too many"'],
  'allowance set': ['institution allowance set "North School" 500000'],
  'curricula create': ['institution curricula create --file fractions.json', 'institution curricula create --file fractions.json --actor fac_01jd4k6f2mep2s5xg5yhc8m1zr'],
  'curricula publish': ['institution curricula publish cur_01jd4k6f2mep2s5xg5yhc8m1zr'],
  health: ['institution health --json'],
  open: ['institution open', 'institution open console'],
  config: ['institution config'],
  completion: ['source <(institution completion bash)', 'institution completion zsh > ~/.zsh/completions/_institution', 'institution completion fish > ~/.config/fish/completions/institution.fish'],
};

const examplesOf = (command: Command): readonly string[] | undefined => examples[fullCommandName(command).split(' ').slice(1).join(' ')];

/** Returns the first example of a command; undefined of a group. */
export const exampleOf = (command: Command): string | undefined => examplesOf(command)?.[0];

/** Adds its examples to the help of each command. */
export function addExamples(command: Command): void {
  for (const one of command.commands) addExamples(one);
  const lines = examplesOf(command);
  if (lines !== undefined) command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`);
}
