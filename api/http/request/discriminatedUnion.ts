import Joi from 'joi';

/**
 * An object whose other fields depend on its `kind`; each problem is found within the kind that was sent, and an
 * unknown kind is one problem. (A plain alternative would say of all of it that it matches none.)
 */
export function discriminatedUnion(kinds: Record<string, Joi.SchemaMap>): Joi.AlternativesSchema {
  const names = Object.keys(kinds);
  return Joi.alternatives().conditional('.kind', {
    switch: names.map((name) => ({ is: name, then: Joi.object({ kind: Joi.string().valid(name).required(), ...kinds[name] }) })),
    otherwise: Joi.object({ kind: Joi.string().valid(...names).required() })
      .unknown()
      .meta({ undocumented: true }),
  });
}
