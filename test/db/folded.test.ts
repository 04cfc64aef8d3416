import fc from 'fast-check';
import { folded } from '../../db/folded';
import { foldedName, plainCharacters } from '../../lib/foldedName';
import { apiFixture } from '../support/apiFixture';

const { sql } = apiFixture();

const inDatabase = async (names: readonly string[]): Promise<string[]> =>
  (await sql<{ name: string }>(`SELECT ${folded('name')} AS name FROM unnest($1::text[]) WITH ORDINALITY AS given (name, nth) ORDER BY nth`, [names])).map(({ name }) => name);

it.each([
  ['École des Tilleuls', 'ecole des tilleuls'], ['Szkoła Podstawowa nr 5', 'szkola podstawowa nr 5'], ['Žemės Ūkio', 'zemes ukio'],
  ['Sønderborg', 'sonderborg'], ['Große Straße', 'grosse strasse'], ['Cœur', 'coeur'], ['Ærø', 'aero'], ['Đà Nẵng', 'da nang'],
])('a name is found without its accents, strokes and ligatures: %s as %s', async (name, plain) => {
  expect([await inDatabase([name]), foldedName(name)]).toEqual([[plain], plain]);
});

it('the database and the command line compare names in the same way', async () => {
  const characters = ['a', 'E', 'é', 'É', 'ñ', 'å', 'Ž', ' ', '-', '5', ...Object.keys(plainCharacters).flatMap((character) => [character, character.toUpperCase()])];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom(...characters), maxLength: 20 }), { minLength: 1, maxLength: 50 }), async (names) => {
      expect(await inDatabase(names)).toEqual(names.map(foldedName));
    }),
    { numRuns: 20 },
  );
});
