import Joi from 'joi';
import { keyEnvironments } from '../../../db/entities/apiKey';
import { isScope, scopes } from '../../../domain/scopes';
import { operation } from '../../http/operation';

const tag = 'Meta';

const scopeName = Joi.string().valid(...scopes.map(({ scope }) => scope));

const keySchema = Joi.object({
  key_id: Joi.string().required().example('key_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('SIS synchronisation'),
  environment: Joi.string().valid(...keyEnvironments).required().description('`test`: the key belongs to the sandbox of an institution.').example('live'),
  institution: Joi.object({
    id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
    name: Joi.string().required().example('North School'),
  }).required(),
  scopes: Joi.array().items(scopeName).required().example(['students:read']),
  rate_limit_per_min: Joi.number().integer().required().example(600),
  request_id: Joi.string().required().description('The same as the header X-Request-Id.').example('req_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).meta({ title: 'ApiKey' });

const scopeListSchema = Joi.object({
  items: Joi.array()
    .items(
      Joi.object({
        scope: scopeName.required().example('students:read'),
        description: Joi.string().required().example('List and read students.'),
      }).meta({ title: 'Scope' }),
    )
    .required(),
}).meta({ title: 'ScopeList' });

export const me = [
  operation({
    method: 'GET',
    path: '/me',
    operationId: 'describeKey',
    tag,
    access: { key: null },
    summary: 'Describe the key that asks.',
    response: keySchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ principal, caller }) => ({
      key_id: principal.id,
      name: principal.name,
      environment: principal.environment,
      institution: principal.institution,
      scopes: principal.scopes.filter(isScope),
      rate_limit_per_min: principal.rateLimitPerMin,
      request_id: caller.requestId,
    }),
  }),
  operation({
    method: 'GET',
    path: '/scopes',
    operationId: 'listScopes',
    tag,
    access: { key: null },
    summary: 'List every scope with what it grants.',
    response: scopeListSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async () => ({ items: [...scopes] }),
  }),
];
