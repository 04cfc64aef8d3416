const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = join(__dirname, '../..');
const folder = join(root, 'node_modules/.cache/compiled-sources');
/** What decides how a source is compiled, besides its text. */
const compiler = [process.version, readFileSync(join(root, '.swcrc')), require('@swc/core/package.json').version].join();

/** A source as JavaScript. It is compiled once for each text that it has had, and kept next to the packages: most programs of tests compile nothing. */
function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const kept = join(folder, `${createHash('sha256').update(`${compiler}\0${filename}\0${source}`).digest('hex')}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    // Loaded only where something is compiled: that alone takes as long as reading all that is kept.
    const { code } = require('@swc/core').transformSync(source, { filename });
    keep(kept, code);
    return code;
  }
}

/** Atomic, for any number of processes that write it. */
function keep(path, code) {
  const unfinished = `${path}.${process.pid}.${process.hrtime.bigint()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, path);
  } catch (error) {
    // Packages that may not be written to: everything is compiled each time.
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error;
  }
}

// For `node --require`: runs our sources without a build, each compiled when it is first required.
require.extensions['.ts'] = (module, filename) => {
  module._compile(compiled(filename), filename);
};
