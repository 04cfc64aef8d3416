import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './statements';

/** A test that proves a statement. */
export interface Proof {
  /** The name of the statement as the mark has it, or `<section>.*`. */
  mark: string;
  /** The names of the blocks around the test, then its own. */
  test: string;
  /** From the project's root. */
  file: string;
}

/** What the markers of some files say, and those that stand above no test. */
interface Markers {
  proofs: Proof[];
  misplaced: string[];
}

const markerPattern = /^\/\/ Contract: (.*)$/;
const blocks = new Set(['describe', 'it', 'test']);

/** The call that runs a test or a block of tests, in any form: `it(…)`, `it.each(…)(…)`, `describe.each(…)(…)`. */
function testCall(node: ts.Node): ts.CallExpression | undefined {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return undefined;
  let callee: ts.Expression = node.expression.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && blocks.has(callee.text) ? node.expression : undefined;
}

/** A name as it stands in the source: what a table fills in keeps its placeholder. */
function nameOf(call: ts.CallExpression, source: ts.SourceFile): string {
  const [name] = call.arguments;
  if (name === undefined) return '';
  return ts.isStringLiteralLike(name) ? name.text : name.getText(source).replace(/^`|`$/g, '');
}

function commentsAbove(node: ts.Node, text: string): string[] {
  return (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).map(({ pos, end }) => text.slice(pos, end));
}

/** The markers of one file. */
export function markersOf(file: string, text: string): Markers {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const proofs: Proof[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const call = testCall(node);
    const names = call === undefined ? around : [...around, nameOf(call, source)];
    if (call !== undefined) {
      const marks = commentsAbove(node, text).flatMap((comment) => markerPattern.exec(comment)?.[1]?.split(', ') ?? []);
      proofs.push(...marks.map((mark) => ({ mark, test: names.join(' › '), file })));
    }
    ts.forEachChild(node, (child) => visit(child, names));
  };
  visit(source, []);
  const written = text.split('\n').flatMap((line) => markerPattern.exec(line.trim())?.[1]?.split(', ') ?? []);
  const found = proofs.map(({ mark }) => mark);
  return { proofs, misplaced: found.length === written.length ? [] : [`${file}: ${written.filter((mark) => !found.includes(mark)).join()}`] };
}

/** The markers of every test. */
export function readMarkers(): Markers {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts')).sort();
  const read = files.map((name) => markersOf(`test/${name}`, readFileSync(join(root, 'test', name), 'utf8')));
  return { proofs: read.flatMap(({ proofs }) => proofs), misplaced: read.flatMap(({ misplaced }) => misplaced) };
}
