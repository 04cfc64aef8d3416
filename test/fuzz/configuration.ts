import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiPath } from '../../api/http/openapi/operation';
import { resources } from '../../api/resources';
import { projectRoot } from '../../local/projectRoot';
import { kindOfField, kindsOfPath, type Kind } from '../support/ownThings';
import type { Planted } from './things';

/** How often a parameter, a filter or a field names something that is there. */
const probability = { path: 0.8, query: 0.4, body: 0.9 };

const source = join(projectRoot(), 'test/fuzz');

/** Text as TOML writes it. */
const quoted = (text: string): string => JSON.stringify(text);

const dictionaryOf = (kind: Kind, use: keyof Planted): string => `${kind}_${use}`;

/** Fields that hardly any value generated from their schema fits: the dictionary of each. */
const wellKnown: Readonly<Record<string, string>> = { url: 'receiver', 'events[*]': 'subscriptions', expires_at: 'soon', expiry_date: 'soon' };

/** So many days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Values by the names under which parameters and fields draw from them. */
function dictionariesOf(planted: Planted, receiverUrl: string): Record<string, readonly string[]> {
  const ids = (['kept', 'spare'] as const).flatMap((use) => Object.entries(planted[use]).map(([kind, named]) => [`${kind}_${use}`, named] as const));
  return {
    ...Object.fromEntries(ids.filter(([, named]) => named.length > 0)),
    receiver: [receiverUrl],
    subscriptions: ['*', 'exam.*', 'student.created'],
    soon: [1, 30, 3_000].map(inDays),
  };
}

/** Fields that hold a list of what they name. */
const lists = /_ids$|^events$/;

const binding = (place: keyof typeof probability, name: string, dictionary: string): string =>
  `${quoted(`${place}.${name}`)} = { dictionary = ${quoted(dictionary)}, probability = ${probability[place]} }`;

/** What an operation's parameters and fields can name, as the tests over all operations know it. */
function bindingsOf({ method, path, request }: (typeof resources)[number]): string[] {
  const use = method === 'DELETE' ? 'spare' : 'kept';
  const ofPath = kindsOfPath(path).flatMap(([name, kind]) => (kind === undefined ? [] : [binding('path', name, dictionaryOf(kind, use))]));
  const ofFields = (['query', 'body'] as const).flatMap((place) =>
    Object.keys(request[place]?.describe().keys ?? {}).flatMap((name) => {
      const kind = kindOfField(path, name);
      const named = lists.test(name) ? `${name}[*]` : name;
      const dictionary = kind === undefined || kind === null ? wellKnown[named] : dictionaryOf(kind, 'kept');
      return dictionary === undefined ? [] : [binding(place, named, dictionary)];
    }),
  );
  return [...ofPath, ...ofFields];
}

function operations(): string[] {
  return resources.flatMap((record) => {
    const bindings = bindingsOf(record);
    if (bindings.length === 0) return [];
    const name = `${record.method} ${openApiPath(record.path)}`;
    return [`[[operations]]\ninclude-name = ${quoted(name)}\n[operations.parameters]\n${bindings.join('\n')}\n`];
  });
}

/** Writes the fuzzer's configuration into a folder: `schemathesis.toml` of the project and what is planted. Answers its path. */
export function writeConfiguration(folder: string, planted: Planted, receiverUrl: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(source, 'hooks.py'), join(folder, 'hooks.py'));
  const file = join(folder, 'schemathesis.toml');
  const settled = readFileSync(join(source, 'schemathesis.toml'), 'utf8');
  const dictionaries = Object.entries(dictionariesOf(planted, receiverUrl)).map(([name, values]) => `[dictionaries.${name}]\nvalues = [${values.map(quoted).join(', ')}]\n`);
  writeFileSync(file, [settled, ...operations(), ...dictionaries].join('\n'));
  return file;
}
