import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { realTimeReads } from '../support/realTimeReads';

/** All but the workflows: their time is the real one, and activities move it to the clock of the institution. */
const rooms = ['activities', 'api', 'console', 'db', 'domain', 'outbound', 'worker'];

const sourcesOf = (room: string): string[] =>
  readdirSync(join(projectRoot(), room), { recursive: true, encoding: 'utf8' })
    .map((path) => join(room, path))
    .filter((path) => /\.(?:ts|sql)$/.test(path) && !/migrations|schema\.sql/.test(path));

/** How often a source asks the machine or the database for the time, without moving it to the clock of an institution, and without its comments. */
const readsIn = (path: string): number => {
  const code = readFileSync(join(projectRoot(), path), 'utf8').replace(/\/\*[^]*?\*\/|^\s*(?:\/\/|--).*$/gm, '');
  return [...code.matchAll(/new Date\(\)|Date\.now\(\)|(?<!onClock\(')(?<![\w.])(?:clock_timestamp|now)\(\)/g)].length;
};

it('a source that asks for the real time says why: a rule takes the time of its institution, whose clock may be ahead', () => {
  const found = rooms.flatMap(sourcesOf).map((path) => [path, readsIn(path)] as const).filter(([, reads]) => reads > 0);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(realTimeReads).map(([path, { reads }]) => [path, reads])));
});
