import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import ts from 'typescript';

/** An SQL text as the source has it: the constant or function that it stands in, and the text with what is inserted into it. */
export interface SqlText {
  /** `path constant`, the path below db/repositories, as `exams/exams lockById`. */
  place: string;
  text: string;
}

/** A file as `SqlText.place` names it: its path below db/repositories, or its name. */
const placeOf = (path: string): string => (path.split('db/repositories/')[1] ?? basename(path)).replace(/\.ts$/, '');

/** What a name stands for: the value of a constant, or what a function answers. */
type NamedExpressions = ReadonlyMap<string, ts.Expression>;

const bodyOf = (node: ts.ArrowFunction): ts.Expression | undefined => (ts.isBlock(node.body) ? undefined : node.body);

/** The constants of a file by name, those within its functions too. */
function namedIn(file: ts.SourceFile): Map<string, ts.Expression> {
  const named = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const value = ts.isArrowFunction(node.initializer) ? bodyOf(node.initializer) : node.initializer;
      if (value !== undefined) named.set(node.name.text, value);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return named;
}

/** Whether a name is a parameter of a function around it, which is known only when the program runs. */
function isParameter(name: ts.Identifier): boolean {
  for (let node: ts.Node = name; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isFunctionLike(node) && node.parameters.some(({ name: given }) => given.getText().split(/\W+/).includes(name.text))) return true;
  }
  return false;
}

/** What stands in a text for what is known only when the program runs. */
const unknown = 'unknown';

/** How far constants are followed into one another. */
const maxDepth = 20;

/** The text of an expression. */
function textOf(expression: ts.Expression, names: readonly NamedExpressions[], depth = 0): string {
  const inner = (part: ts.Expression): string => (depth > maxDepth ? unknown : textOf(part, names, depth + 1));
  if (ts.isStringLiteral(expression) || ts.isNoSubstitutionTemplateLiteral(expression)) return expression.text;
  if (ts.isTemplateExpression(expression)) {
    return expression.head.text + expression.templateSpans.map(({ expression: part, literal }) => inner(part) + literal.text).join('');
  }
  if (ts.isIdentifier(expression)) {
    const value = names.map((known) => known.get(expression.text)).find((found) => found !== undefined);
    return value === undefined || isParameter(expression) ? unknown : inner(value);
  }
  if (ts.isParenthesizedExpression(expression)) return inner(expression.expression);
  if (ts.isConditionalExpression(expression)) return `${inner(expression.whenTrue)} ${inner(expression.whenFalse)}`;
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'text') return inner(expression.expression);
  if (ts.isCallExpression(expression)) {
    const [, text] = expression.arguments;
    return expression.expression.getText() === 'statement' && text !== undefined ? inner(text) : inner(expression.expression);
  }
  return unknown;
}

const holdsText = (node: ts.Node): node is ts.Expression => ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);

/** The texts in these files, each as its outermost literal has it, with the constants of all of them inserted. */
export function textsIn(paths: readonly string[]): SqlText[] {
  const files = paths.map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  const everywhere = new Map(files.flatMap((file) => [...namedIn(file)]));
  return files.flatMap((file) => {
    const names = [namedIn(file), everywhere];
    const texts: SqlText[] = [];
    const visit = (node: ts.Node, within: string): void => {
      const place = ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && !ts.isSourceFile(node.parent) ? node.name.text : ts.isFunctionDeclaration(node) ? (node.name?.text ?? within) : within;
      if (holdsText(node)) texts.push({ place: `${placeOf(file.fileName)} ${place}`, text: textOf(node, names) });
      else node.forEachChild((child) => { visit(child, place); });
    };
    visit(file, '');
    return texts;
  });
}
