import Joi from 'joi';
import type { FieldsType, SchemaFields } from '../../../lib/schemaType';

/** One object for each kind, told apart by `kind`. */
type UnionOf<Kinds> = { [Kind in keyof Kinds]: { kind: Kind } & FieldsType<Kinds[Kind]> }[keyof Kinds];

/**
 * An object whose other fields depend on its `kind`; each problem is found within the kind that was sent, and an
 * unknown kind is one problem. (A plain alternative would say of all of it that it matches none.)
 */
export function discriminatedUnion<Kinds extends Record<string, SchemaFields>>(kinds: Kinds): Joi.AlternativesSchema<UnionOf<Kinds>> {
  const names = Object.keys(kinds);
  return Joi.alternatives<UnionOf<Kinds>>().conditional('.kind', {
    switch: names.map((name) => ({ is: name, then: Joi.object({ kind: Joi.string().valid(name).required(), ...kinds[name] }) })),
    otherwise: Joi.object({ kind: Joi.string().valid(...names).required() })
      .unknown()
      .meta({ undocumented: true }),
  });
}
