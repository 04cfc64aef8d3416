import { basename } from 'node:path';
import ts from 'typescript';
import { Evaluator } from './evaluator';
import { combinations, isClosure, type Scope, type Value } from './values';

/** A call of the source that runs SQL and says of which type its rows are. */
export interface SqlCall {
  /** `path function`, the path below db/repositories, as `exams/exams findExam`. */
  place: string;
  /** Every text that it may run; undefined where one of them is known only when the program runs. */
  texts: string[] | undefined;
  /** The type of a row; undefined where none is named, and rows are only counted. */
  row: ts.Type | undefined;
}

/** A file as {@link SqlCall.place} names it: its path below db/repositories, or its name. */
const fileName = (path: string): string => (path.split('db/repositories/')[1] ?? basename(path)).replace(/\.ts$/, '');

const functionAround = (node: ts.Node): ts.FunctionLikeDeclaration | undefined =>
  ts.findAncestor(node.parent, (around): around is ts.FunctionLikeDeclaration => ts.isFunctionDeclaration(around) || ts.isArrowFunction(around) || ts.isMethodDeclaration(around));

/** The name under which a function is called. */
function nameOf(node: ts.FunctionLikeDeclaration): string | undefined {
  const named = ts.isArrowFunction(node) ? node.parent : node;
  const name = ts.isFunctionDeclaration(named) || ts.isMethodDeclaration(named) || ts.isVariableDeclaration(named) || ts.isPropertyAssignment(named) ? named.name : undefined;
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

/** The name by which a call calls. */
const calledName = (expression: ts.Expression): string => (ts.isPropertyAccessExpression(expression) ? expression.name : expression).getText();

function placeOf(node: ts.Node): string {
  let within = functionAround(node);
  while (within !== undefined && nameOf(within) === undefined) within = functionAround(within);
  return `${fileName(node.getSourceFile().fileName)} ${within === undefined ? '' : (nameOf(within) ?? '')}`.trim();
}

/** The text of a statement, as {@link Sql} takes it: itself, or with a name. */
function textOf(value: Value): string | undefined {
  const text = value instanceof Map ? value.get('text') : value;
  return typeof text === 'string' ? text : undefined;
}

/** Finds the calls of `Sql` in a program, with what their statements can be. */
class Finder {
  private readonly checker: ts.TypeChecker;
  private readonly evaluator: Evaluator;
  private readonly calls: ts.CallExpression[] = [];

  constructor(files: readonly ts.SourceFile[], program: ts.Program) {
    this.checker = program.getTypeChecker();
    this.evaluator = new Evaluator(this.checker);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) this.calls.push(node);
      node.forEachChild(visit);
    };
    files.forEach(visit);
  }

  private runsSql({ expression }: ts.CallExpression): boolean {
    return calledName(expression) === 'sql' && this.checker.getTypeAtLocation(expression).aliasSymbol?.name === 'Sql';
  }

  /** The texts that a call runs; undefined where one is not known. */
  private texts(node: ts.CallExpression, scope?: Scope): string[] | undefined {
    const [argument] = node.arguments;
    const texts = argument === undefined ? [] : this.evaluator.values(argument, scope).map(textOf);
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
  }

  /** The type of the rows that a call promises, by themselves or as `rows` of what it answers. */
  private row(node: ts.CallExpression): ts.Type | undefined {
    const signature = this.checker.getResolvedSignature(node);
    const answer = signature && this.checker.getAwaitedType(this.checker.getReturnTypeOfSignature(signature));
    const rows = answer?.getProperty('rows');
    const list = rows === undefined ? answer : this.checker.getTypeOfSymbol(rows);
    const row = list && this.checker.getIndexTypeOfType(list, ts.IndexKind.Number);
    return row !== undefined && row.flags & ts.TypeFlags.NonPrimitive ? undefined : row;
  }

  /** Calls of a function whose statement follows from what it is given: one for each of its callers. */
  private ofCallers(inner: ts.CallExpression, within: ts.FunctionLikeDeclaration): SqlCall[] {
    const row = this.row(inner);
    const callers = this.calls.filter(({ expression }) => calledName(expression) === nameOf(within));
    return callers.flatMap((node) => {
      const closure = this.evaluator.values(node.expression).filter(isClosure).find((value) => value.node === within);
      if (closure === undefined) return [];
      const given = combinations(node.arguments.map((argument) => this.evaluator.values(argument)));
      const texts = given.map((values) => this.texts(inner, this.evaluator.bind(closure, values)));
      return [{
        place: placeOf(node),
        texts: texts.every((one) => one !== undefined) ? [...new Set(texts.flat())] : undefined,
        row: row !== undefined && row.flags & ts.TypeFlags.TypeParameter ? this.row(node) : row,
      }];
    });
  }

  find(): SqlCall[] {
    return this.calls.filter((node) => this.runsSql(node)).flatMap((node) => {
      const own = { place: placeOf(node), texts: this.texts(node), row: this.row(node) };
      const within = functionAround(node);
      if (own.texts !== undefined || within === undefined) return [own];
      const ofCallers = this.ofCallers(node, within);
      return ofCallers.some(({ texts }) => texts !== undefined) ? ofCallers : [own];
    });
  }
}

/** Every call of `Sql` in these files of a program. */
export const sqlCallsIn = (files: readonly ts.SourceFile[], program: ts.Program): SqlCall[] => new Finder(files, program).find();
