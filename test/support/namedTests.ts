import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Every text of a file that stands first among the arguments of a call, as tests are named, without escapes; none of a file that is not there. */
export const testsNamedIn = (file: string): string[] =>
  existsSync(join(root, file))
    ? [...readFileSync(join(root, file), 'utf8').matchAll(/\((['"`])((?:\\.|(?!\1).)*)\1, /gs)].map(([, , name = '']) => name.replaceAll(/\\(['"`])/g, '$1'))
    : [];
