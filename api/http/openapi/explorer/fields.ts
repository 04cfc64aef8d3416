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

/** The objects that a value can be, where it can be one of several. */
function alternatives(schema: JsonSchema, resolve: ResolveRef): JsonSchema[] {
  const base = resolved(withoutNull(schema).schema, resolve);
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

/** Returns the fields of an object, each with type, rules and meaning; what is within them opens on demand. */
function objectFields({ properties = {}, required = [] }: JsonSchema, resolve: ResolveRef, depth: number, direction: Direction): HtmlValue {
  return html`<ul class="fields">${Object.entries(properties).map(([name, schema]) => row({ name, schema, required: required.includes(name) }, resolve, depth, direction))}</ul>`;
}

/** Returns the fields of a schema of any kind. */
export function schemaFields(schema: JsonSchema, resolve: ResolveRef, direction: Direction): HtmlValue {
  const inner = innerObject(schema, resolve);
  return inner === undefined ? html`<p>${typeName(schema, resolve)}</p>` : objectFields(inner, resolve, 0, direction);
}

/** Returns a list of parameters. */
export function parameterFields(parameters: readonly Field[], resolve: ResolveRef): HtmlValue {
  return html`<ul class="fields">${parameters.map((field) => row(field, resolve, 0, 'request'))}</ul>`;
}
