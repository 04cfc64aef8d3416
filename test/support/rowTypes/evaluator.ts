import ts from 'typescript';
import { callMethod, combinations, isClosure, unknown, type Call, type Closure, type Scope, type Value } from './values';

/** Calls and constants are not followed deeper than this into one another. */
const maxDepth = 60;

/** Whether a value counts as true; undefined where it is not known. */
const truthOf = (value: Value): boolean | undefined => (value === unknown ? undefined : Boolean(value));

const operators: Partial<Record<ts.SyntaxKind, (left: Value, right: Value) => Value>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: (left, right) => left === right,
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: (left, right) => left !== right,
  [ts.SyntaxKind.PlusToken]: (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? left + right : typeof left === 'string' && typeof right === 'string' ? left + right : unknown,
  [ts.SyntaxKind.MinusToken]: (left, right) => (typeof left === 'number' && typeof right === 'number' ? left - right : unknown),
};

/** Finds the values that an expression of the source can have, by its constants, conditions and functions, without running it. */
export class Evaluator {
  private depth = 0;
  /** What the constants of the files are. */
  private readonly constants = new Map<ts.Symbol, Value[]>();

  constructor(private readonly checker: ts.TypeChecker) {}

  /** Every value of an expression; {@link unknown} is one of them where some cannot be found. */
  values(node: ts.Expression, scope: Scope = new Map()): Value[] {
    if (this.depth > maxDepth) return [unknown];
    this.depth += 1;
    const found = this.valuesOf(node, scope);
    this.depth -= 1;
    return [...new Set(found)];
  }

  private valuesOf(node: ts.Expression, scope: Scope): Value[] {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isNumericLiteral(node)) return [Number(node.text)];
    if (node.kind === ts.SyntaxKind.TrueKeyword) return [true];
    if (node.kind === ts.SyntaxKind.FalseKeyword) return [false];
    if (ts.isIdentifier(node)) return this.ofName(node, scope);
    if (ts.isTemplateExpression(node)) return this.ofTemplate(node, scope);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node)) return this.values(node.expression, scope);
    if (ts.isConditionalExpression(node)) return this.either(this.values(node.condition, scope), () => this.values(node.whenTrue, scope), () => this.values(node.whenFalse, scope));
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      return this.values(node.operand, scope).map((value) => (value === unknown ? unknown : !value));
    }
    if (ts.isBinaryExpression(node)) return this.ofBinary(node, scope);
    if (ts.isArrayLiteralExpression(node)) return this.ofList(node, scope);
    if (ts.isObjectLiteralExpression(node)) return this.ofObject(node, scope);
    if (ts.isPropertyAccessExpression(node)) return this.values(node.expression, scope).map((of) => this.member(of, node.name.text));
    if (ts.isElementAccessExpression(node)) return this.ofElement(node, scope);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [{ node, scope }];
    return ts.isCallExpression(node) ? this.ofCall(node, scope) : [unknown];
  }

  /** The values that a type allows, where it has only so many; what is not known is one of these. */
  private orOfType(node: ts.Expression, values: Value[]): Value[] {
    if (!values.includes(unknown)) return values;
    const type = this.checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    const allowed = parts.map((part): Value => {
      if (part.isStringLiteral()) return part.value;
      if (part.flags & ts.TypeFlags.BooleanLiteral) return this.checker.typeToString(part) === 'true';
      return part.flags & ts.TypeFlags.Undefined ? undefined : unknown;
    });
    return allowed.includes(unknown) ? values : [...values.filter((value) => value !== unknown), ...allowed];
  }

  private ofName(node: ts.Identifier, scope: Scope): Value[] {
    if (node.text === 'undefined') return [undefined];
    const named = ts.isShorthandPropertyAssignment(node.parent) ? this.checker.getShorthandAssignmentValueSymbol(node.parent) : this.checker.getSymbolAtLocation(node);
    if (named === undefined) return [unknown];
    const symbol = named.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(named) : named;
    if (scope.has(symbol)) return [scope.get(symbol)];
    const declared = symbol.valueDeclaration;
    if (declared === undefined) return [unknown];
    if (ts.isFunctionDeclaration(declared)) return [{ node: declared, scope }];
    if (!ts.isVariableDeclaration(declared) || !(declared.parent.flags & ts.NodeFlags.Const)) return [unknown];
    const loop = declared.parent.parent;
    if (ts.isForOfStatement(loop)) return this.values(loop.expression, scope).flatMap((value) => (Array.isArray(value) ? value : [unknown]));
    if (declared.initializer === undefined) return [unknown];
    if (!ts.isSourceFile(declared.parent.parent.parent)) return this.values(declared.initializer, scope);
    const values = this.constants.get(symbol) ?? this.values(declared.initializer);
    this.constants.set(symbol, values);
    return values;
  }

  /** A text with what is inserted into it; a number that is not known, such as a limit, is 1. */
  private ofTemplate(node: ts.TemplateExpression, scope: Scope): Value[] {
    const parts = node.templateSpans.map(({ expression }) =>
      this.orOfType(expression, this.values(expression, scope)).map((value) => (value === unknown && this.checker.getTypeAtLocation(expression).flags & ts.TypeFlags.NumberLike ? 1 : value)));
    return combinations(parts).map((values) =>
      values.every((value) => typeof value === 'string' || typeof value === 'number')
        ? node.head.text + node.templateSpans.map(({ literal }, nth) => `${String(values[nth])}${literal.text}`).join('')
        : unknown);
  }

  private either(conditions: readonly Value[], whenTrue: () => Value[], whenFalse: () => Value[]): Value[] {
    const truths = conditions.map(truthOf);
    return [...(truths.some((truth) => truth !== false) ? whenTrue() : []), ...(truths.some((truth) => truth !== true) ? whenFalse() : [])];
  }

  private ofBinary({ left, operatorToken: { kind }, right }: ts.BinaryExpression, scope: Scope): Value[] {
    const lefts = this.values(left, scope);
    const rights = (): Value[] => this.values(right, scope);
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return lefts.flatMap((value) => (truthOf(value) === false ? [value] : rights()));
    if (kind === ts.SyntaxKind.BarBarToken) return lefts.flatMap((value) => (truthOf(value) === true ? [value] : value === unknown ? [unknown, ...rights()] : rights()));
    if (kind === ts.SyntaxKind.QuestionQuestionToken) return lefts.flatMap((value) => (value === undefined ? rights() : value === unknown ? [unknown, ...rights()] : [value]));
    const operate = operators[kind];
    return combinations([lefts, rights()]).map(([one, other]) => (operate === undefined || one === unknown || other === unknown ? unknown : operate(one, other)));
  }

  private ofList(node: ts.ArrayLiteralExpression, scope: Scope): Value[] {
    const parts = node.elements.map((element): Value[] =>
      ts.isSpreadElement(element) ? this.values(element.expression, scope).map((value) => (Array.isArray(value) ? value : [unknown])) : this.values(element, scope).map((value) => [value]));
    return combinations(parts).map((lists) => lists.flatMap((list) => (Array.isArray(list) ? list : [list])));
  }

  private ofObject(node: ts.ObjectLiteralExpression, scope: Scope): Value[] {
    const parts = node.properties.map((property): Value[] => {
      if (ts.isSpreadAssignment(property)) return this.values(property.expression, scope);
      const one = (values: Value[]): Value[] => values.map((value) => new Map([[property.name.getText().replace(/^'|'$/g, ''), value]]));
      if (ts.isShorthandPropertyAssignment(property)) return one(this.ofName(property.name, scope));
      if (ts.isMethodDeclaration(property)) return one([{ node: property, scope }]);
      return ts.isPropertyAssignment(property) ? one(this.values(property.initializer, scope)) : [unknown];
    });
    return combinations(parts).map((fields) => new Map(fields.flatMap((field) => (field instanceof Map ? [...field] : []))));
  }

  private member(of: Value, name: string): Value {
    if (of instanceof Map) return of.get(name);
    return name === 'length' && Array.isArray(of) ? of.length : unknown;
  }

  private ofElement(node: ts.ElementAccessExpression, scope: Scope): Value[] {
    const keys = this.orOfType(node.argumentExpression, this.values(node.argumentExpression, scope));
    return this.values(node.expression, scope).flatMap((of) =>
      keys.flatMap((key) => {
        if (of instanceof Map) return typeof key === 'string' ? [of.get(key)] : [...of.values()];
        return Array.isArray(of) && typeof key === 'number' ? [of[key]] : [unknown];
      }));
  }

  private ofCall(node: ts.CallExpression, scope: Scope): Value[] {
    const given = combinations(node.arguments.map((argument) => (ts.isSpreadElement(argument) ? [unknown] : this.values(argument, scope))));
    const callee = node.expression;
    if (ts.isPropertyAccessExpression(callee)) {
      const found = this.values(callee.expression, scope).flatMap((of) =>
        given.flatMap((values) => callMethod(of, callee.name.text, values, this.call) ?? []));
      if (found.length > 0) return found;
    }
    return this.values(callee, scope).flatMap((called) => given.flatMap((values) => this.call(called, values)));
  }

  /** The parameters of a function as a call gives them. */
  bind({ node, scope }: Closure, given: readonly Value[]): Scope {
    const bound = new Map(scope);
    const set = (name: ts.BindingName, initializer: ts.Expression | undefined, value: Value): void => {
      const actual = value === undefined && initializer !== undefined ? this.values(initializer, bound)[0] : value;
      if (ts.isIdentifier(name)) {
        const symbol = this.checker.getSymbolAtLocation(name);
        if (symbol !== undefined) bound.set(symbol, actual);
      } else if (ts.isObjectBindingPattern(name)) {
        for (const part of name.elements) set(part.name, part.initializer, actual === unknown ? unknown : this.member(actual, (part.propertyName ?? part.name).getText()));
      }
    };
    node.parameters.forEach(({ name, initializer }, nth) => set(name, initializer, given[nth]));
    return bound;
  }

  private readonly call: Call = (called, given) => {
    if (!isClosure(called) || !('body' in called.node) || called.node.body === undefined) return [unknown];
    const { body } = called.node;
    const scope = this.bind(called, given);
    return ts.isBlock(body) ? this.returned(body.statements, scope).values : this.values(body, scope);
  };

  /** What statements return, and whether they always do. */
  private returned(statements: readonly ts.Statement[], scope: Scope): { values: Value[]; ends: boolean } {
    const values: Value[] = [];
    for (const one of statements) {
      if (ts.isReturnStatement(one)) return { values: [...values, ...(one.expression === undefined ? [undefined] : this.values(one.expression, scope))], ends: true };
      if (ts.isThrowStatement(one)) return { values, ends: true };
      if (!ts.isIfStatement(one)) continue;
      const truths = this.values(one.expression, scope).map(truthOf);
      const inner = (part: ts.Statement | undefined): { values: Value[]; ends: boolean } => this.returned(part === undefined ? [] : ts.isBlock(part) ? part.statements : [part], scope);
      const then = truths.some((truth) => truth !== false) ? inner(one.thenStatement) : { values: [], ends: true };
      const otherwise = truths.some((truth) => truth !== true) ? inner(one.elseStatement) : { values: [], ends: true };
      values.push(...then.values, ...otherwise.values);
      if (then.ends && otherwise.ends) return { values, ends: true };
    }
    return { values, ends: false };
  }
}
