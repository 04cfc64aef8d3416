import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../../local/projectRoot';

const rooms = ['db', 'domain', 'api', 'activities', 'worker', 'workflows', 'outbound', 'console', 'cli', 'local', 'lib', 'config'];

const runsSql = (path: string): boolean => /\bsql\b/i.test(readFileSync(path, 'utf8'));

/** The files of the product that may run SQL, but for migrations, which read no rows of a type. */
const filesWithSql = (): string[] =>
  rooms
    .flatMap((room) => readdirSync(join(projectRoot(), room), { recursive: true, encoding: 'utf8' }).map((path) => join(projectRoot(), room, path)))
    .filter((path) => path.endsWith('.ts') && !path.includes('/migrations/') && runsSql(path));

/** A program, and which of its files to look at. */
export interface ProgramWithSql {
  program: ts.Program;
  /** The files of the product that may run SQL. */
  files: ts.SourceFile[];
  /** The files that are in memory alone. */
  inMemory: ts.SourceFile[];
}

/** The product's program, with files that are in memory alone, by their paths below the project. */
export function programWithSql(inMemory: Readonly<Record<string, string>>): ProgramWithSql {
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(join(projectRoot(), 'tsconfig.json'), ts.sys.readFile).config, ts.sys, projectRoot());
  const texts = new Map(Object.entries(inMemory).map(([path, text]) => [join(projectRoot(), path), text]));
  const paths = filesWithSql();
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...paths, ...texts.keys()], options, {
    ...host,
    getSourceFile: (path, languageVersion, onError) => {
      const text = texts.get(path);
      return text === undefined ? host.getSourceFile(path, languageVersion, onError) : ts.createSourceFile(path, text, languageVersion, true);
    },
  });
  const filesOf = (names: Iterable<string>): ts.SourceFile[] => [...names].map((name) => program.getSourceFile(name)).filter((file) => file !== undefined);
  return { program, files: filesOf(paths), inMemory: filesOf(texts.keys()) };
}
