const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

// The global set-up of a run of an older release's tests, in its folder: that release's own, whose template database the newer release
// then migrates. The databases of the tests are copies of it. `NEW_SCHEMA_FROM` is the folder of the newer release.
const setUp = require(join(process.cwd(), 'test', 'support', 'stack', 'globalSetup.ts')).default;

/** The same database for another role of the same password, as the stack of tests has it. */
function forRole(url, role) {
  const changed = new URL(url);
  changed.username = role;
  return changed.href;
}

module.exports = async (config) => {
  await setUp(config);
  const { adminDatabaseUrl, templateDatabase } = JSON.parse(process.env.TEST_STACK);
  const owner = new URL(adminDatabaseUrl);
  owner.pathname = `/${templateDatabase}`;
  const newer = process.env.NEW_SCHEMA_FROM;
  if (newer === undefined) throw new Error('NEW_SCHEMA_FROM is not set');
  execFileSync(process.execPath, [join(newer, 'dist', 'db', 'migrateMain.js')], {
    env: { ...process.env, DATABASE_URL: forRole(owner.href, 'institution_service'), MIGRATION_DATABASE_URL: owner.href },
    stdio: 'inherit',
  });
};
