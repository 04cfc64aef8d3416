import type Joi from 'joi';

// Joi's own types tell neither what is required nor which values are allowed. The overloads below keep both, for the
// compiler alone: each rule leaves a mark on the schema's type, and SchemaType reads the marks.

declare const validated: unique symbol;
declare const present: unique symbol;
declare const nullable: unique symbol;
declare const only: unique symbol;
declare const output: unique symbol;

/** The mark of a field that is always there. */
interface Present {
  readonly [present]: true;
}

/** The mark of a field that may be null. */
interface Nullable {
  readonly [nullable]: true;
}

/** The mark of a field that has one of these values. */
interface Only<Value> {
  readonly [only]: Value;
}

/** The mark of a field whose custom rule answers another type, such as a Date for a text. */
interface Output<Value> {
  readonly [output]: Value;
}

/** Fields of an object by their names. */
export type SchemaFields = Record<string, Joi.AnySchema>;

/** An intersection as one object type. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** The type of an object with these fields. */
export type FieldsType<Map> = Flat<
  { [Key in keyof Map as Map[Key] extends Present ? Key : never]: SchemaType<Map[Key]> } & {
    [Key in keyof Map as Map[Key] extends Present ? never : Key]?: SchemaType<Map[Key]>;
  }
>;

type ValueType<Schema> = Schema extends Output<infer Value>
  ? Value
  : Schema extends Only<infer Value>
    ? Value
    : Schema extends { readonly [validated]?: infer Value }
      ? Value
      : never;

/** The type of the values that a schema lets through: what a response has, or what a handler is given. */
export type SchemaType<Schema> = ValueType<Schema> | (Schema extends Nullable ? null : never);

/* eslint-disable @typescript-eslint/no-unused-vars -- A declaration that is merged with another repeats its parameters. */
declare module 'joi' {
  interface Root {
    any(): AnySchema<unknown>;
    object(): ObjectSchema<Record<string, unknown>>;
    object<Map extends SchemaFields>(fields: Map): ObjectSchema<FieldsType<Map>>;
  }

  interface AnySchema<TSchema> {
    readonly [validated]?: TSchema;
    required(): this & Present;
    default(value: string | number | boolean | null): this & Present;
    allow(value: null, ...others: unknown[]): this & Nullable;
    valid<const Values extends readonly (string | number | boolean)[]>(...values: Values): this & Only<Values[number]>;
    custom<Value>(check: (value: TSchema, helpers: CustomHelpers) => Value): this & Output<Exclude<Value, ErrorReport>>;
  }

  interface ArraySchema<TSchema> {
    items<Item extends AnySchema>(item: Item): ArraySchema<SchemaType<Item>[]>;
  }

  interface ObjectSchema<TSchema> {
    pattern<Value extends AnySchema>(name: StringSchema, value: Value): ObjectSchema<Record<string, SchemaType<Value>>>;
  }

  interface AlternativesSchema<TSchema> {
    conditional<Then extends AnySchema, Otherwise extends AnySchema>(is: Schema, options: { then: Then; otherwise: Otherwise }): AlternativesSchema<SchemaType<Then | Otherwise>>;
    /** A switch lets through what its alternatives are declared to be. */
    conditional(ref: string, options: { switch: object[]; otherwise: Schema }): this;
    try<Schemas extends readonly AnySchema[]>(...schemas: Schemas): AlternativesSchema<SchemaType<Schemas[number]>>;
  }
}
