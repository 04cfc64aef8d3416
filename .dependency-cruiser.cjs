const rooms = 'api|cli|clients|domain|db|workflows|outbound|activities|worker|local|console|bench|test';

/** A room may import itself, `config`, `lib` and the rooms named; no other room of ours. */
const mayImport = (room, others) => ({
  name: `imports-of-${room}`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: { path: `^(${rooms})/`, pathNot: `^(${[room, ...others].join('|')})/` },
});

/** Imports go one way. Nothing of the service imports `local`, `bench` or `test`. */
module.exports = {
  forbidden: [
    mayImport('api', ['domain', 'db', 'outbound', 'workflows', 'console']),
    mayImport('activities', ['domain', 'db', 'outbound', 'workflows']),
    mayImport('worker', ['activities', 'domain', 'db', 'outbound', 'workflows']),
    mayImport('lib', []),
    mayImport('workflows', ['activities', 'domain']),
    mayImport('outbound', ['domain', 'workflows']),
    mayImport('domain', ['db']),
    mayImport('db', []),
    mayImport('console', ['domain', 'db', 'api/http']),
    mayImport('local', ['clients/typescript', 'domain', 'db', 'outbound', 'workflows']),
    mayImport('clients', ['api']),
    // It calls the platform API like any other program, by the client's fetch: no rule, no row, no setting of the service.
    mayImport('cli', ['clients/typescript']),
    {
      name: 'the-command-line-knows-the-api-alone',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^config/|node_modules/(koa|typeorm|pg|ioredis|@temporalio)/' },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'It is a package: what it needs must be in it, or in Node.',
      severity: 'error',
      from: { path: '^clients/typescript/' },
      to: { pathNot: '^clients/typescript/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'config-imports-nothing',
      severity: 'error',
      from: { path: '^config/' },
      to: { path: `^(${rooms})/` },
    },
    {
      name: 'only-the-contract-of-workflows',
      comment: 'Workflow code runs in its own sandbox; others know its queues, ids and signals.',
      severity: 'error',
      from: { path: '^(api|outbound|activities|worker|local)/' },
      to: { path: '^workflows/', pathNot: '^workflows/contract' },
    },
    {
      name: 'workflows-import-activities-as-types',
      comment: 'Activities do not belong into the deterministic sandbox.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-knows-no-framework',
      severity: 'error',
      from: { path: '^domain/' },
      to: { path: 'node_modules/(koa|@koa|@temporalio|typeorm|ioredis|undici|nodemailer)/' },
    },
    {
      name: 'typeorm-stays-in-db',
      comment: 'Entities are read and written by repositories alone.',
      severity: 'error',
      from: { pathNot: '^(db|test/db|test/support/migrationLint)/|^test/support/migrations[.]ts$' },
      to: { path: 'node_modules/typeorm/|^db/entityManager[.]ts$' },
    },
    {
      name: 'the-platform-listener-mounts-the-console',
      comment: 'The console is built on the frame in api/http; the API knows of it only where its listener is put together.',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/platformApp[.]ts$' },
      to: { path: '^console/' },
    },
    {
      name: 'presenters-read-nothing',
      comment: 'A handler reads, by a query of the domain or a repository; a presenter is a pure function of what was read.',
      severity: 'error',
      from: { path: '^api/.*[.]presenter[.]ts$' },
      to: { path: '^db/|^domain/transact[.]ts$|^domain/files/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|clients/typescript/dist|\\.local)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
