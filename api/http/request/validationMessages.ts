const count = (one: string, many: string): string => `{{#limit}} {{if(#limit == 1, "${one}", "${many}")}}`;

/** A list of one without the brackets of a list. */
const oneOrAll = (list: string): string => `{{if(#${list}.length == 1, #${list}.0, #${list})}}`;

/** Messages by Joi's name of the rule: the field, then what is valid. */
export const validationMessages: Record<string, string> = {
  'any.required': '{{#label}} is required',
  'any.only': `{{#label}} must be {{if(#valids.length == 1, "", "one of ")}}${oneOrAll('valids')}`,
  'string.empty': '{{#label}} must not be empty',
  'string.max': `{{#label}} must be at most ${count('character', 'characters')}`,
  'string.min': `{{#label}} must be at least ${count('character', 'characters')}`,
  'number.max': '{{#label}} must be at most {{#limit}}',
  'number.min': '{{#label}} must be at least {{#limit}}',
  'number.greater': '{{#label}} must be more than {{#limit}}',
  'number.less': '{{#label}} must be less than {{#limit}}',
  'number.integer': '{{#label}} must be a whole number',
  'number.unsafe': `{{#label}} must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`,
  'array.max': `{{#label}} must have at most ${count('item', 'items')}`,
  'array.min': `{{#label}} must have at least ${count('item', 'items')}`,
  'object.base': '{{#label}} must be an object',
  'object.and': `${oneOrAll('missingWithLabels')} is required when ${oneOrAll('presentWithLabels')} is given`,
  'object.missing': 'one of {{#peersWithLabels}} is required',
  'object.xor': 'only one of {{#peersWithLabels}} may be given',
  'object.oxor': 'only one of {{#peersWithLabels}} may be given',
};
