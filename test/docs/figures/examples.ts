/** What a figure is that no code holds, but a version of another program, an example, arithmetic or advice: by document. */
export const examples: Record<string, readonly string[]> = {
  'README.md': ['need `python3` on PATH, 3.10 or later', 'for C# `dotnet` 10', 'Java 17', 'OWASP API Security Top 10', 'OpenAPI 3.1', '## Five minutes', 'in place of 4010'],
  'clients/typescript/README.md': [
    'from Node 22.18 on', 'connection, 500, 502, 503, 504)', 'the package is 80 KB, and 0.6 MB once installed', 'need TypeScript 5, 6 or 7', 'longer than `maxBodyBytes` (1 MiB)', 'after `leaseMs` (5 minutes)',
  ],
  'clients/python/README.md': ['Python 3.10 or later', 'connection, 500, 502, 503, 504)', 'it is 503.', 'waits for 10 seconds', 'the newest 10,000'],
  'CONTRIBUTING.md': ['at most 300 lines', 'of 0.6.0 went', '| 0.6.0 |'],
  'docs/adding-an-endpoint.md': ['429, 500, 503)'],
  'docs/alpha.md': ['1, 2, 2, 4.'],
  // How often an app sends a heartbeat is the contract's.
  'docs/devices.md': ['at least every five minutes', 'within five minutes'],
  'docs/disclosures.md': ['34 CFR 99.32; GDPR, article 15', 'up to 13 months old'],
  'docs/errors.md': ['wait 1 s, 2 s, 4 s and so on', 'the score -1'],
  'docs/examples/roster-sync/README.md': ['Python 3.11', 'on Node 20, `npx', 'needs Node 22.18', 'ends with 0', 'steps 4 to 6', 'ends with 1.', 'after no answer, 429 or 5xx'],
  'docs/export.md': ['articles 15 and 20; FERPA, 34 CFR 99.10'],
  'docs/grading.md': [
    '`score` goes from 0', 'the score -1', 'A late 45.5 of 60 with a penalty of 12.5 is 45.5 / 60 × 100 × 0.875 = 66.354…, so 66.35', 'to 0, which holds', 'sends two emails',
    'counts up from 1.', '100,000 students in one answer',
  ],
  'docs/merits.md': ['A merit is 100 cents'],
  'docs/quickstart.md': ['ISO 8601', 'curl 7.76', 'from Node 22.18 on', 'Python 3.10'],
  'docs/sandbox.md': ['login emails that count from 1,'],
  'docs/security.md': ['OWASP API Security Top 10 of 2023'],
  'docs/syncing.md': ['connection, 500, 502, 503, 504)', 'minus five minutes', 'from five minutes before', 'The five minutes are necessary', 'within two seconds'],
  'docs/cli.md': ['the newest 50 events of the last 24 hours', 'the first 50 after that time', 'it has 10 seconds to respond', 'at most 30 seconds apart', 'port 4010'],
  'docs/operations/cli.md': ['end with 2, and'],
  'docs/coming-from.md': ['OneRoster 1.1', 'OneRoster 1.2', 'Python 3.10'],
  'docs/receivers.md': [
    'Answer 401', 'answer it 2xx', 'Answer 2xx', 'Node 20', 'Python 3.10', 'PHP 8', 'Ruby 3.0', 'Java 17', '.NET 10', 'Go 1.21',
    '`standardwebhooks` 1.1.1 | `standardwebhooks` 1.1.0 | `standard-webhooks/libraries` 0.0.1', '`svix` 2.5.0 | `svix` 2.9.1 | `svix-webhooks` 1.44.0', '`stripe` 23.1.0 | `stripe` 16.1.0 | `stripe-go` 82.5.1',
  ],
  'docs/recovering.md': ['0 starts nothing'],
  'docs/webhooks.md': ['Python (3.10 or later)', 'of latencies up to 50 ms', '| 1 | At once |', 'one endpoint two at a time'],
  'docs/operations/overview.md': ['of `MAX_UPLOAD_BYTES` and 64 KiB', 'A Postgres of your own, 17 or later', 'before 0.6.0', 'To 0.4.0:', 'To 0.5.0:', 'To 0.6.0:', 'To 0.7.0:', 'To 0.8.0:', 'To 0.9.0:', 'To 0.10.0:', 'process of 0.9.0', 'The keys of 0.9.0 and earlier', 'The other key of 0.9.0', 'workers of 0.8.0', 'process of 0.7.0', 'workers of 0.6.0', 'in CycloneDX 1.6', 'version of Node 24', 'worker: 1 while', 'worker: 1 where'],
  'docs/operations/runbook.md': ['`webhook_gauges_stale` is 1;', 'the keys of 0.9.0'],
  'docs/operations/keys.md': ['## From the keys of 0.9.0', 'Releases up to 0.9.0', 'written as 0.9.0 does', 'no process of 0.9.0 runs', 'a return to 0.9.0'],
  'docs/operations/backup.md': [
    'of the last two minutes: for a moment', 'as after two minutes of silence', 'five minutes', 'under 80 calls', 'the last 1.5 s', '88 of 7,083',
    'About 15 s, 10 s for each GB of the database, and 20 s for each GB of log', '12 s with 58 MB', 'with 1.1 GB and 1.8 GB of log: 43 s', '35 s for 1.1 GB', '2026-11-23', 'some 30 MB a second',
  ],
  'docs/operations/week.md': ['of the 51,200 and 50 MB at which Temporal ends a workflow', 'exits with 1.', 'two cores and about five minutes', 'the seven days'],
  'docs/operations/workflows.md': ['graded -1.', 'Upgrading from 0.5.0', 'go back to 0.5.0', 'which 0.5.0 works on'],
};
