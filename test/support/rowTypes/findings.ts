import ts from 'typescript';
import type { Column, Kind } from './columns';

/** A type without null, and whether null was in it. */
interface Field {
  parts: ts.Type[];
  nullable: boolean;
}

const isEmpty = ({ flags }: ts.Type): boolean => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

/** The fields of a row by name: for a row of several shapes, those of all of them, and null where one has them not. */
function fieldsOf(row: ts.Type, checker: ts.TypeChecker): Map<string, Field> {
  const shapes = partsOf(row).map((shape) => new Map(checker.getPropertiesOfType(shape).map((property) => [property.name, partsOf(checker.getTypeOfSymbol(property))])));
  const names = new Set(shapes.flatMap((shape) => [...shape.keys()]));
  return new Map([...names].map((name) => {
    const types = shapes.map((shape) => shape.get(name) ?? []);
    const parts = new Set(types.flat().filter((part) => !isEmpty(part)));
    return [name, { parts: [...parts], nullable: types.some((own) => own.length === 0 || own.some(isEmpty)) }];
  }));
}

const flagsOf: Partial<Record<string, ts.TypeFlags>> = { string: ts.TypeFlags.StringLike, number: ts.TypeFlags.NumberLike, boolean: ts.TypeFlags.BooleanLike };

/** Whether values of a kind are of a type. */
function fits(type: ts.Type, kind: Kind, checker: ts.TypeChecker, depth = 0): boolean {
  if (type.flags & ts.TypeFlags.Unknown) return true;
  const name = type.getSymbol()?.name;
  if (Array.isArray(kind)) {
    const [element] = kind;
    const elements = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    return checker.isArrayType(type) && element !== undefined && elements !== undefined && partsOf(elements).every((part) => isEmpty(part) || fits(part, element, checker));
  }
  if (kind === 'json') return isJson(type, checker, depth);
  const flags = flagsOf[kind];
  return flags === undefined ? name === kind : (type.flags & flags) !== 0;
}

/** Nothing that JSON has ends up as a time, as bytes or as a whole number beyond numbers. */
function isJson(type: ts.Type, checker: ts.TypeChecker, depth: number): boolean {
  if (depth > 4 || !(type.flags & ts.TypeFlags.Object)) return !(type.flags & ts.TypeFlags.BigIntLike);
  if (['Date', 'Buffer', 'Uint8Array', 'Map', 'Set'].includes(type.getSymbol()?.name ?? '')) return false;
  const inner = checker.isArrayLikeType(type)
    ? [checker.getIndexTypeOfType(type, ts.IndexKind.Number)]
    : checker.getPropertiesOfType(type).map((property) => checker.getTypeOfSymbol(property));
  return inner.every((one) => one === undefined || partsOf(one).every((part) => isJson(part, checker, depth + 1)));
}

/** The texts of a field that has only so many; undefined for any text. */
const textsOf = (parts: readonly ts.Type[]): string[] | undefined =>
  parts.length > 0 && parts.every((part) => part.isStringLiteral()) ? parts.map((part) => (part.isStringLiteral() ? part.value : '')) : undefined;

const kindName = (kind: Kind): string => (Array.isArray(kind) ? `${String(kind[0])}[]` : kind);

/** In what a field differs from its column. */
function differences({ parts, nullable }: Field, column: Column, checker: ts.TypeChecker): string[] {
  const { kind } = column;
  if (kind === undefined) return [`of type ${column.type}, of which nothing is known`];
  if (!parts.every((part) => fits(part, kind, checker))) return [`${kindName(kind)}, not ${parts.map((part) => checker.typeToString(part)).join(' | ')}`];
  const texts = textsOf(parts);
  const allowed = column.texts;
  return [
    ...(column.nullable === true && !nullable ? ['may be null'] : []),
    ...(column.nullable === false && nullable ? ['is never null'] : []),
    ...(allowed?.filter((text) => texts?.includes(text) === false).map((text) => `may be '${text}'`) ?? []),
    ...(texts?.filter((text) => allowed?.includes(text) === false).map((text) => `is never '${text}'`) ?? []),
  ];
}

/** In what the type of a row differs from the columns of its statement, as `column: difference`. */
export function findingsOf(row: ts.Type | undefined, selected: readonly Column[], checker: ts.TypeChecker): string[] {
  // The position of a row in its list, which db/page.ts takes off before anyone else reads the row.
  const columns = selected.filter(({ name }) => name !== 'list_position');
  // Rows that are only counted need no more than one column.
  if (row === undefined) return columns.length > 1 ? columns.map(({ name }) => `${name}: read by nobody`) : [];
  const fields = fieldsOf(row, checker);
  const missing = [...fields.keys()].filter((name) => !columns.some((column) => column.name === name));
  return [
    ...missing.map((name) => `${name}: not answered`),
    ...columns.flatMap((column) => {
      const field = fields.get(column.name);
      const found = field === undefined ? ['read by nobody'] : differences(field, column, checker);
      return found.map((difference) => `${column.name}: ${difference}`);
    }),
  ];
}
