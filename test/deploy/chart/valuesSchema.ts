import { programVariables, requiredSecrets, requiredSettings, secrets, settings, type DescribedVariable } from './variables';

interface JsonSchema {
  properties: Record<string, object>;
}

const ruleOf = ({ rules = [] }: DescribedVariable, name: string) => rules.find((rule) => rule.name === name)?.args;

/** A pattern of texts: Joi's own, or the beginnings of the URLs that it allows. */
function patternOf(variable: DescribedVariable): string | undefined {
  const regex = ruleOf(variable, 'pattern')?.regex;
  const schemes = ruleOf(variable, 'uri')?.options?.scheme;
  const pattern = regex === undefined ? schemes && `^(${schemes.join('|')}):` : regex.slice(1, -1).replaceAll('\\/', '/');
  return pattern !== undefined && variable.allow?.includes('') === true ? `^$|${pattern}` : pattern;
}

/** What a variable may be in the values, as JSON Schema. */
function schemaOf(variable: DescribedVariable): object {
  if (variable.flags?.only === true) return { enum: variable.allow };
  if (variable.type === 'boolean') return { type: 'boolean' };
  const isWhole = (variable.rules ?? []).some(({ name }) => name === 'integer');
  if (variable.type === 'number') return { type: isWhole ? 'integer' : 'number', minimum: ruleOf(variable, 'min')?.limit, maximum: ruleOf(variable, 'max')?.limit };
  const isRequired = variable.flags?.presence === 'required';
  return { type: 'string', pattern: patternOf(variable), maxLength: ruleOf(variable, 'max')?.limit, minLength: isRequired ? 1 : undefined };
}

/** The chart's schema of values, `text`, with the settings and Secrets that the program has now. */
export function valuesSchema(text: string): string {
  const schema: JsonSchema = JSON.parse(text);
  const properties = {
    ...schema.properties,
    settings: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(settings.map((name) => [name, schemaOf(programVariables.get(name) ?? { type: 'string' })])),
      required: requiredSettings,
    },
    secrets: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(secrets.map((name) => [name, { $ref: '#/definitions/secret' }])),
      required: requiredSecrets,
      // The keys of today, or those of 0.9.0 and earlier.
      anyOf: [{ required: ['MASTER_KEYS'] }, { required: ['ENCRYPTION_KEYS', 'FINGERPRINT_KEY'] }],
    },
  };
  return `${JSON.stringify({ ...schema, properties }, null, 2)}\n`;
}
