const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

// For `node --require`: runs our sources without a build, each compiled when it is first required.
require.extensions['.ts'] = (module, filename) => {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { filename }).code, filename);
};
