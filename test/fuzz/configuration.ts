import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiPath } from '../../api/http/openapi/describeOperation';
import { projectRoot } from '../../local/projectRoot';
import type { Target } from './targets';
import type { SeededIds } from './resources';

/** How often a parameter, a filter or a field names something that is there. */
const probability = { path: 0.8, query: 0.4, body: 0.9 };

const source = join(projectRoot(), 'test/fuzz');

/** Text as TOML writes it. */
const quoted = (text: string): string => JSON.stringify(text);

/** Fields that hardly any value generated from their schema fits: the dictionary of each. */
const wellKnown: Readonly<Record<string, string>> = { url: 'receiver', expires_at: 'soon', expiry_date: 'soon' };

/** So many days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

type Dictionaries = Readonly<Record<string, readonly string[]>>;

/** Values by the names under which parameters and fields draw from them. */
function dictionariesOf(seeded: SeededIds, receiverUrl: string): Dictionaries {
  const ids = (['kept', 'spare'] as const).flatMap((use) => Object.entries(seeded[use]).map(([kind, named]) => [`${kind}_${use}`, named] as const));
  return {
    ...Object.fromEntries(ids.filter(([, named]) => named.length > 0)),
    receiver: [receiverUrl],
    soon: [1, 30, 3_000].map(inDays),
  };
}

/** Calls after which a thing is of no more use to other calls. */
const consumesResource = ({ method, path }: Target['operations'][number]): boolean => method === 'DELETE' || /^\/(institutions|developers)\/:id\/(suspend|revoke|offboard)$|\/erase$/.test(path);

/** What an operation's parameters and fields draw from. */
function bindingsOf(target: Target, operation: Target['operations'][number], dictionaries: Dictionaries): string[] {
  const { path, request } = operation;
  const bind = (place: keyof typeof probability, name: string, dictionary: string | undefined): string[] =>
    dictionary === undefined || !Object.hasOwn(dictionaries, dictionary)
      ? []
      : [`${quoted(`${place}.${name}`)} = { dictionary = ${quoted(dictionary)}, probability = ${probability[place]} }`];
  const ofPath = target.namesInPath(path).flatMap(([name, named]) => bind('path', name, `${named ?? ''}_${consumesResource(operation) ? 'spare' : 'kept'}`));
  const ofFields = (['query', 'body'] as const).flatMap((place) =>
    Object.keys(request[place]?.describe().keys ?? {}).flatMap((field) => {
      const named = target.nameOfField(path, field);
      return bind(place, field.endsWith('_ids') ? `${field}[*]` : field, named === undefined ? wellKnown[field] : `${named}_kept`);
    }),
  );
  return [...ofPath, ...ofFields];
}

function operations(target: Target, dictionaries: Dictionaries): string[] {
  return target.operations.flatMap((operation) => {
    const bindings = bindingsOf(target, operation, dictionaries);
    const name = `${operation.method} ${openApiPath(operation.path)}`;
    return bindings.length === 0 ? [] : [`[[operations]]\ninclude-name = ${quoted(name)}\n[operations.parameters]\n${bindings.join('\n')}\n`];
  });
}

/** Writes the fuzzer's configuration into a folder: the target's settings, and the ids of the seeded resources. Returns its path. */
export function writeConfiguration(folder: string, target: Target, seeded: SeededIds, receiverUrl: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(source, 'hooks.py'), join(folder, 'hooks.py'));
  const settings = target.settings.map((name) => readFileSync(join(source, name), 'utf8'));
  const dictionaries = dictionariesOf(seeded, receiverUrl);
  const lines = Object.entries(dictionaries).map(([name, values]) => `[dictionaries.${name}]\nvalues = [${values.map(quoted).join(', ')}]\n`);
  const file = join(folder, 'schemathesis.toml');
  writeFileSync(file, [...settings, ...operations(target, dictionaries), ...lines].join('\n'));
  return file;
}
