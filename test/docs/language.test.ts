import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../local/projectRoot';

/** A word or phrase that nobody would search for, what to say in its place, and where it is the field's own. */
interface ForbiddenWord {
  pattern: string;
  say: string;
  except: string[];
  /** Files in which the word is a name that cannot change, each with the reason. */
  recorded?: Record<string, string>;
}

/** Texts that are not ours to word: the contract, what was released or recorded, what is generated, and the list itself. */
const exempt = [
  /^CHANGELOG\.md$/, /^docs\/specification\.md$/, /^docs\/contract\//, /^docs\/contract\.md$/, /^docs\/glossary\.md$/, /^db\/migrations\//, /^db\/functions\//, /^db\/schema\.sql$/, /^test\/histories\//, /^test\/vectors\//,
  /^clients\/typescript\/src\/openapi\.ts$/, /^docs\/postman\.json$/, /^test\/docs\/forbiddenWords\.json$/, /^test\/docs\/language\.test\.ts$/, /^package-lock\.json$/,
];

const forbidden = (JSON.parse(readFileSync(join(__dirname, 'forbiddenWords.json'), 'utf8')) as ForbiddenWord[]).map(({ pattern, say, except, recorded = {} }) => ({
  pattern: new RegExp(pattern, 'gi'),
  say,
  recorded: new Set(Object.keys(recorded)),
  except: except.map((text) => new RegExp(text, 'gi')),
}));

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: projectRoot(), encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|js|mjs|cjs|md|yml|sql)$/.test(path) && !exempt.some((pattern) => pattern.test(path)));

/** `appendToOutbox` as words: a name is held to the same list as a sentence. */
const wordsOfName = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');

interface Text {
  line: number;
  text: string;
}

/** Names, comments and sentences of a source. SQL and single words in quotes are wire names or values, and left out. */
function textsOfSource(source: string): Text[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const add = (position: number, text: string): void => {
    texts.push({ line: file.getLineAndCharacterOfPosition(position).line + 1, text });
  };
  const comments = new Map<number, number>();
  const isSentence = (text: string): boolean => /\w+ \w+ \w+/.test(text) && !/\b(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|FROM|WHERE|VALUES|JOIN)\b/.test(text);
  const visit = (node: ts.Node): void => {
    for (const range of [...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []), ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? [])]) comments.set(range.pos, range.end);
    if (ts.isIdentifier(node)) add(node.getStart(), wordsOfName(node.text));
    else if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) && isSentence(node.text)) add(node.getStart(), node.text);
    node.forEachChild(visit);
  };
  visit(file);
  for (const [start, end] of comments) add(start, source.slice(start, end).replace(/`[^`\n]*`/g, ''));
  return texts;
}

/** A document without its code, which names what is on the wire; the comments of the code stay. */
const textsOfDocument = (document: string): Text[] =>
  document
    .replace(/```[\s\S]*?```/g, (code) => code.split('\n').map((line) => /^\s*(?:#|\/\/|--) (.*)$/.exec(line)?.[1] ?? '').join('\n'))
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.replace(/`[^`]*`/g, '').replace(/\]\([^)]*\)/g, ']') }));

/** The forbidden words of a text, each with what to say. */
function found(text: string, path = ''): string[] {
  return forbidden.flatMap(({ pattern, say, except, recorded }) => {
    if (recorded.has(path)) return [];
    const excused = except.flatMap((exception) => [...text.matchAll(exception)].map(({ index, 0: match }) => [index, index + match.length] as const));
    return [...text.matchAll(pattern)]
      .filter(({ index, 0: match }) => !excused.some(([start, end]) => index < end && index + match.length > start))
      .map(([match]) => `"${match}": ${say}`);
  });
}

const rooms = [...new Set(files.map((path) => (path.includes('/') ? (path.split('/')[0] ?? '') : '.')))].sort();

it.each(rooms)('names, comments, messages and documents of %s use the words that everybody knows', (room) => {
  const hits = files
    .filter((path) => (path.includes('/') ? path.startsWith(`${room}/`) : room === '.'))
    .flatMap((path) => {
      const content = readFileSync(join(projectRoot(), path), 'utf8');
      const texts = /\.(ts|js|mjs|cjs)$/.test(path) ? textsOfSource(content) : textsOfDocument(content);
      return texts.flatMap(({ line, text }) => found(text, path).map((hit) => `${path}:${line} ${hit}`));
    });
  expect(hits).toEqual([]);
});

it('finds a private word in a name, a comment, a message and a document, and leaves those that are the field\'s', () => {
  expect(textsOfSource("// Whoever owes.\nconst dispatchOwed = () => 'a letter is sent';").flatMap(({ text }) => found(text)).length).toBe(4);
  expect(textsOfDocument('The letter.\n```\nletters\n# A letter.\n```\n').flatMap(({ line, text }) => found(text).map(() => line))).toEqual([1, 4]);
  expect(found('capital letters and digits')).toEqual([]);
});
