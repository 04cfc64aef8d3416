import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';

/** Emails, and what only people of the staff read. */
const forPeople = [/Emails?\.ts$/, /^domain\/support\//, /^domain\/audit\/noMatch\.ts$/];

/** The identifiers of the caller's own school are theirs, whichever program calls. */
const ownIdentifier = /by your (own )?identifier/g;

it('no message of a rule calls its caller "you" as a student: programs call with a key, too', () => {
  const names = readdirSync(join(projectRoot(), 'domain'), { recursive: true, encoding: 'utf8' }).map((name) => `domain/${name}`);
  const files = names.filter((path) => path.endsWith('.ts') && !forPeople.some((pattern) => pattern.test(path)));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((path) => {
    const lines = readFileSync(join(projectRoot(), path), 'utf8').split('\n').map((line) => line.replace(ownIdentifier, ''));
    return lines.filter((line) => /['"`].*\byou(r|rs)?\b.*['"`]/i.test(line)).map((line) => `${path}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});
