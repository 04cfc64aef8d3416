import { html, type HtmlValue } from '../../../../lib/html';
import type { JsonSchema } from '../jsonSchema';
import type { ResolveRef } from '../examples';
import { sentence } from './texts';

/** One field of a body, or one parameter. */
interface Field {
  name: string;
  required: boolean;
  schema: JsonSchema;
  description?: string | undefined;
}

/** Who sends the fields: the integrator has to know what is required, and what may be absent of what the service sends. */
type Direction = 'request' | 'response';

const maxDepth = 4;

const resolved = (schema: JsonSchema, resolve: ResolveRef): JsonSchema => (schema.$ref === undefined ? schema : { ...resolve(schema.$ref), ...(schema.description === undefined ? {} : { description: schema.description }) });

/** What is not null of an optional value. */
function withoutNull(schema: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const { anyOf = [] } = schema;
  const others = anyOf.filter(({ type }) => type !== 'null');
  const [only] = others;
  return others.length === 1 && anyOf.length === 2 && only !== undefined ? { schema: { ...only, ...(schema.description === undefined ? {} : { description: schema.description }) }, nullable: true } : { schema, nullable: false };
}

function typeName(schema: JsonSchema, resolve: ResolveRef): string {
  const { schema: value, nullable } = withoutNull(schema);
  const base = resolved(value, resolve);
  const types = [base.type ?? (base.oneOf ?? base.anyOf ?? [{}]).map((one) => typeName(one, resolve))].flat();
  const named = [...new Set(types)].map((type) => (type === 'array' && base.items ? `array of ${typeName(base.items, resolve)}` : type));
  return [...named, ...(nullable ? ['null'] : [])].join(' or ');
}

const formats: Record<string, string> = { 'date-time': 'date and time', uri: 'URL', email: 'email', date: 'date', binary: 'file' };

function bounds(low: number | undefined, high: number | undefined, unit: string): string[] {
  if (low !== undefined && high !== undefined) return [`${low.toLocaleString('en')} to ${high.toLocaleString('en')}${unit}`];
  if (high !== undefined) return [`at most ${high.toLocaleString('en')}${unit}`];
  return low === undefined || (low === 1 && unit === ' characters') ? [] : [`at least ${low.toLocaleString('en')}${unit}`];
}

/** The rules of a value in a few words each. */
function rules({ format, minLength, maxLength, minimum, maximum, minItems, maxItems, default: preset }: JsonSchema): string[] {
  return [
    ...(format === undefined ? [] : [formats[format] ?? format]),
    ...bounds(maxLength === undefined ? undefined : minLength, maxLength, ' characters'),
    ...bounds(minimum, maximum, ''),
    ...bounds(minItems, maxItems, ' items'),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
}

/** The fields within a value: of an object, or of the objects of a list. */
function innerObject(schema: JsonSchema, resolve: ResolveRef): JsonSchema | undefined {
  const base = resolved(withoutNull(schema).schema, resolve);
  if (base.properties !== undefined) return base;
  return base.items ? innerObject(base.items, resolve) : undefined;
}

function choices({ const: only, enum: values, items }: JsonSchema): HtmlValue {
  const list = only === undefined ? (values ?? (items ? items.enum : undefined)) : [only];
  if (list === undefined) return null;
  if (list.length === 1) return html`<p class="choices">Always <code>${JSON.stringify(list[0])}</code></p>`;
  const shown = list.map((value, index) => [index > 0 && ' ', html`<code>${JSON.stringify(value)}</code>`]);
  return list.length > 8 ? html`<details class="choices"><summary>${list.length} values</summary>${shown}</details>` : html`<p class="choices">One of ${shown}</p>`;
}

/** The objects that a value, or each item of a list, can be, where it can be one of several. */
function alternatives(schema: JsonSchema, resolve: ResolveRef): JsonSchema[] {
  const base = resolved(withoutNull(schema).schema, resolve);
  if (base.items && base.items.properties === undefined) return alternatives(base.items, resolve);
  const forms = (base.anyOf ?? base.oneOf ?? []).map((form) => resolved(form, resolve)).filter(({ type }) => type !== 'null');
  return forms.length > 1 && forms.some(({ properties }) => properties !== undefined) ? forms : [];
}

/** One of the forms of a value, folded. */
function formOf(form: JsonSchema, name: string, nth: string, resolve: ResolveRef, depth: number, direction: Direction): HtmlValue {
  // An event is known by its type.
  const { const: event } = form.properties?.type ?? {};
  const type = typeof event === 'string' ? event : typeName(form, resolve);
  const about = html`<p class="about">${sentence(form.description ?? [type, ...rules(form)].join(', '))}</p>${choices(form)}`;
  return html`<details><summary>Form ${nth} of <code>${name}</code>: ${type}</summary>${form.properties === undefined ? about : objectFields(form, resolve, depth, direction)}</details>`;
}

/** Returns what is said of whether a field is there: of a request those that must be, of a response those that may be absent. */
function presence(required: boolean, direction: Direction): HtmlValue {
  if (direction === 'request') return required && html` <span class="required">required</span>`;
  return !required && html` <span class="type">may be absent</span>`;
}

function row({ name, required, schema, description }: Field, resolve: ResolveRef, depth: number, direction: Direction): HtmlValue {
  const base = resolved(withoutNull(schema).schema, resolve);
  const inner = depth < maxDepth ? innerObject(schema, resolve) : undefined;
  const forms = depth < maxDepth ? alternatives(schema, resolve) : [];
  const about = description ?? schema.description ?? base.description;
  return html`<li>
<div class="field"><code class="name">${name}</code> <span class="type">${[typeName(schema, resolve), ...rules(base)].join(', ')}</span>${presence(required, direction)}</div>
${about !== undefined && html`<p class="about">${sentence(about)}</p>`}${choices(base)}
${inner !== undefined && html`<details${depth === 0 && name === 'data' && html` open`}><summary>Fields of <code>${name}</code></summary>${objectFields(inner, resolve, depth + 1, direction)}</details>`}
${forms.map((form, index) => formOf(form, name, `${index + 1} of ${forms.length}`, resolve, depth + 1, direction))}
</li>`;
}

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): Field[] => Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

/** Returns fields with type, rules and meaning each. */
const list = (fields: readonly Field[], resolve: ResolveRef, depth: number, direction: Direction): HtmlValue =>
  fields.length > 0 && html`<ul class="fields">${fields.map((field) => row(field, resolve, depth, direction))}</ul>`;

/** Returns the fields of an object; what is within them opens on demand. */
const objectFields = (schema: JsonSchema, resolve: ResolveRef, depth: number, direction: Direction): HtmlValue => list(fieldsOf(schema), resolve, depth, direction);

/** Returns the fields of what is sent that must be there, and the others by their names, which open on demand. */
function foldedFields(fields: readonly Field[], resolve: ResolveRef): HtmlValue {
  const [needed, optional] = [fields.filter(({ required }) => required), fields.filter(({ required }) => !required)];
  const names = optional.map(({ name }, index) => [index > 0 && ', ', html`<code>${name}</code>`]);
  const summary = html`${optional.length} optional: ${names}`;
  return html`${list(needed, resolve, 0, 'request')}${optional.length > 0 && html`<div class="fields"><details class="optional"><summary>${summary}</summary>${list(optional, resolve, 0, 'request')}</details></div>`}`;
}

/** How a list of what is sent is shown: `folded` if the page would not be one screen otherwise. */
export type FieldsShown = 'all' | 'folded';

/** Returns the fields of a schema of any kind. */
export function schemaFields(schema: JsonSchema, resolve: ResolveRef, direction: Direction, shown: FieldsShown = 'all'): HtmlValue {
  const inner = innerObject(schema, resolve);
  if (inner === undefined) return html`<p>${typeName(schema, resolve)}</p>`;
  return shown === 'folded' ? foldedFields(fieldsOf(inner), resolve) : objectFields(inner, resolve, 0, direction);
}

/** Returns a list of parameters. */
export const parameterFields = (parameters: readonly Field[], resolve: ResolveRef, shown: FieldsShown = 'all'): HtmlValue =>
  shown === 'folded' ? foldedFields(parameters, resolve) : list(parameters, resolve, 0, 'request');

/** How many rows a field takes: one, and one for its values, for what is within it, and for each of its forms. */
function rowsOf({ schema }: Field, resolve: ResolveRef): number {
  const { enum: values, items } = resolved(withoutNull(schema).schema, resolve);
  return 1 + Number((values ?? (items ? items.enum : undefined)) !== undefined) + Number(innerObject(schema, resolve) !== undefined) + alternatives(schema, resolve).length;
}

/** Returns how many rows parameters and the fields of a body take. */
export function countRows(parameters: readonly Field[], body: JsonSchema | undefined, resolve: ResolveRef): number {
  const inner = body && innerObject(body, resolve);
  return [...parameters, ...(inner === undefined ? [] : fieldsOf(inner))].reduce((sum, field) => sum + rowsOf(field, resolve), 0);
}
