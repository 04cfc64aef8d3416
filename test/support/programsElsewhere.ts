import { registries } from './publicLibraries';
import { receiverLanguages } from './receiverLanguages';

/** The programs of the documents that test/docs/scripts.test.ts does not run, each with where it is run, or why it is not. */
export const programsElsewhere: Record<string, string> = {
  'docs/quickstart.md connection.sh': 'stands before every script here',
  ...Object.fromEntries(
    ['hooks.ts', 'express.ts', 'koa.ts', 'fastify.ts', 'route.ts'].map((name) => [`clients/typescript/README.md ${name}`, 'test/clients/webhookReceivers.test.ts']),
  ),
  'clients/typescript/README.md postgresStore.ts': 'test/clients/webhookStores.test.ts',
  'clients/typescript/README.md redisStore.ts': 'test/clients/webhookStores.test.ts',
  'clients/typescript/README.md proxy.ts': 'test/clients/proxy.test.ts, through a proxy',
  'clients/typescript/README.md install.sh': 'installs the client of these tests, by test/support/clientPackage.ts',
  'docs/webhooks.md hasValidSignature.ts': 'test/docs/verifiers.test.ts',
  'clients/python/README.md install.sh': 'test/clients/python.test.ts',
  'clients/python/README.md postgres_store.py': 'test/clients/python.test.ts, with the tests of the client',
  'clients/python/README.md first.py': 'test/clients/python.test.ts',
  'clients/python/README.md first_async.py': 'test/clients/python.test.ts',
  'clients/python/README.md rows.py': 'test/clients/python.test.ts',
  'clients/python/README.md statuses.py': 'test/clients/python.test.ts',
  'clients/python/README.md narrow.py': 'test/clients/python.test.ts, by mypy',
  'clients/python/README.md flask_receiver.py': 'test/clients/python.test.ts, with real deliveries',
  'clients/python/README.md fastapi_receiver.py': 'test/clients/python.test.ts, with real deliveries',
  'docs/webhooks.md verifyWebhookKey.ts': 'test/docs/verifiers.test.ts',
  'docs/webhooks.md verify_webhook.py': 'test/docs/verifiers.test.ts',
  'docs/webhooks.md receiver.ts': 'test/docs/verifiers.test.ts, several times over',
  ...Object.fromEntries(receiverLanguages.map(({ file }) => [`docs/receivers.md ${file}`, 'test/docs/receivers.test.ts, with real deliveries'])),
  ...Object.fromEntries(registries.map(({ file }) => [`docs/receivers.md ${file}`, 'test/docs/publicLibraries.test.ts, with real deliveries'])),
  ...Object.fromEntries(['oneroster.py', 'classes.py'].map((name) => [`docs/coming-from.md ${name}`, 'test/docs/comingFrom.test.ts'])),
  ...Object.fromEntries(['nightly.py', 'clever.py', 'canvas.py', 'roles.py'].map((name) => [`docs/coming-from.md ${name}`, 'test/docs/nightly.test.ts'])),
  'docs/cli.md first-webhook.sh': 'test/docs/firstWebhook.test.ts',
  ...Object.fromEntries(['sandbox-exam.ts', 'sandbox_exam.py'].map((name) => [`docs/exams.md ${name}`, 'test/docs/sandboxExam.test.ts'])),
  'docs/sandbox.md school-year.sh': 'test/docs/schoolYear.test.ts',
  ...Object.fromEntries(['reset-sandbox.ts', 'reset_sandbox.py'].map((name) => [`docs/sandbox.md ${name}`, 'test/docs/sandboxReset.test.ts'])),
  ...Object.fromEntries(['base-backup.sh', 'copy-files.sh', 'switch-wal.sh', 'restore.sh', 'check.sh', 'dump.sh', 'restore-dump.sh'].map((name) => [`docs/operations/backup.md ${name}`, 'test/faults/restore.test.ts'])),
  ...Object.fromEntries(['install.sh', 'upgrade.sh', 'rollback.sh'].map((name) => [`docs/operations/kubernetes.md ${name}`, 'test/deploy/kubernetes.test.ts, with Helm and in place of kubectl one that does nothing'])),
  'docs/adding-an-endpoint.md ': 'shows lines of the service itself, not a program',
};
