import Joi from 'joi';
import type { SchemaType } from '../../lib/schemaType';

const schema = Joi.object({
  id: Joi.string().required().description('Stays required after a description.'),
  status: Joi.string().valid('draft', 'published').allow(null).required(),
  since: Joi.string().custom((value: string) => new Date(value)),
  limit: Joi.number().default(50),
  tags: Joi.array().items(Joi.string().valid('a', 'b')),
  counts: Joi.object().pattern(Joi.string(), Joi.number()),
  file: Joi.alternatives().try(Joi.object({ id: Joi.string().required() }), Joi.object({ url: Joi.string().required() })),
});

type Value = SchemaType<typeof schema>;

interface Expected {
  id: string;
  status: 'draft' | 'published' | null;
  since?: Date;
  limit: number;
  tags?: ('a' | 'b')[];
  counts?: Record<string, number>;
  file?: { id: string } | { url: string };
}

/** Takes a value of a type, and nothing else: the compiler is the test. */
const requireType = <Type>(value: Type): Type => value;

test('the type of a schema is that of what it lets through', () => {
  const sent: unknown = { id: 'x', status: null, since: '2026-11-20T09:30:00.000Z', tags: ['a'], counts: { a: 1 }, file: { url: 'u' } };
  const { error, value } = schema.validate(sent);
  expect(error).toBeUndefined();
  const expected = requireType<Expected>(requireType<Value>({ id: 'x', status: null, since: new Date('2026-11-20T09:30:00.000Z'), limit: 50, tags: ['a'], counts: { a: 1 }, file: { url: 'u' } }));
  expect(value).toEqual(requireType<Value>(expected));
});

test('what a schema refuses is not of its type', () => {
  // @ts-expect-error -- status is required
  const incomplete: Value = { id: 'x', limit: 50 };
  // @ts-expect-error -- no such status
  const unknown: Value = { id: 'x', status: 'closed', limit: 50 };
  expect(schema.validate(incomplete).error?.message).toBe('"status" is required');
  expect(schema.validate(unknown).error?.message).toBe('"status" must be one of [draft, published, null]');
});
