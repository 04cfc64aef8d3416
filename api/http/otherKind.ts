import { isSearchedPrefix, kindOfPrefix, type SearchedPrefix } from '../../db/repositories/support/search';
import { NotFoundError } from '../../domain/errors';
import { cutOffSentence } from '../../lib/typeId';
import { describeSchema } from './openapi/joiDescription';
import type { OperationRecord } from './operation';
import { documentedPath, type ServeRecord } from './router';

type Located = Pick<OperationRecord<never>, 'method' | 'path' | 'request'>;

const prefixOf = (value: unknown): string | undefined => (typeof value === 'string' ? /^([a-z]+)_/.exec(value)?.[1] : undefined);

/** Returns the prefix of the ids that a path parameter takes, as its example has it; undefined if it takes no ids. */
function prefixTaken({ request: { params } }: Located, name: string): string | undefined {
  const [example] = params === undefined ? [] : (describeSchema(params).keys?.[name]?.examples ?? []);
  return prefixOf(example);
}

/** Returns the path of the operation that shows what ids of each prefix name. */
function pathsByPrefix(records: readonly Located[]): ReadonlyMap<string, string> {
  const shown = records.flatMap((record) => {
    const [, name] = record.method === 'GET' ? (/^[^:]+\/:(\w+)$/.exec(record.path) ?? []) : [];
    const prefix = name === undefined ? undefined : prefixTaken(record, name);
    return prefix === undefined ? [] : [[prefix, record.path] as const];
  });
  // The shortest path of a prefix comes last, and stays.
  return new Map(shown.sort(([, one], [, other]) => other.length - one.length));
}

/** Serves like `serve`; the 404 of an id of another kind says of which kind it is, and which of the records shows it, and that of an id of another length says so. */
export function explainOtherKinds<Principal>(prefix: string, records: readonly OperationRecord<Principal>[], serve: ServeRecord<Principal>): ServeRecord<Principal> {
  const paths = pathsByPrefix(records);
  const sentenceAbout = (given: SearchedPrefix): string => {
    const [kind, path] = [kindOfPrefix(given), paths.get(given)];
    return `${given}_… is the id of ${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}${path === undefined ? '' : `: GET ${documentedPath(prefix, path)} shows it`}.`;
  };
  return async (record, params, ctx) => {
    try {
      await serve(record, params, ctx);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const hints = Object.entries(params).flatMap(([name, value]) => {
        const [given, taken] = [prefixOf(value), prefixTaken(record, name)];
        if (given === undefined || taken === undefined || !isSearchedPrefix(given)) return [];
        return given === taken ? (cutOffSentence([value]) ?? []) : [sentenceAbout(given)];
      });
      throw hints.length === 0 ? error : new NotFoundError(error.code, [error.message, ...hints].join(' '), error.details, { cause: error });
    }
  };
}
