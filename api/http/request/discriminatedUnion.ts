import Joi from 'joi';
import type { FieldsType, SchemaFields } from '../../../lib/schemaType';

/** A union of one object type per kind, discriminated by `kind`. */
type UnionOf<Kinds> = { [Kind in keyof Kinds]: { kind: Kind } & FieldsType<Kinds[Kind]> }[keyof Kinds];

/**
 * An object whose other fields depend on its `kind`; problems are reported for the kind that was sent, and an
 * unknown kind is one problem. (A plain alternative would report only that the whole object matches none of the kinds.)
 */
export function discriminatedUnion<Kinds extends Record<string, SchemaFields>>(kinds: Kinds): Joi.AlternativesSchema<UnionOf<Kinds>> {
  const names = Object.keys(kinds);
  return Joi.alternatives<UnionOf<Kinds>>().conditional('.kind', {
    switch: names.map((name) => ({ is: name, then: Joi.object({ kind: Joi.string().valid(name).required().description(`Here \`${name}\`; the other fields depend on it.`), ...kinds[name] }) })),
    otherwise: Joi.object({ kind: Joi.string().valid(...names).required() })
      .unknown()
      .meta({ undocumented: true }),
  });
}
