/** Names that a field of a Python class cannot have: keywords, and what every pydantic model has. */
const reserved = new Set([
  'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda',
  'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield', 'None', 'True', 'False', 'schema', 'json', 'dict', 'copy', 'construct', 'validate', 'fields', 'self',
]);

/** The words of a name in any spelling: `createStudentsBulk`, `student_id`, `Alpha Learning`. */
const wordsOf = (name: string): string[] => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/).filter((word) => word !== '');

/** Returns `create_students_bulk`. */
export const snakeCase = (name: string): string => wordsOf(name).map((word) => word.toLowerCase()).join('_');

/** Returns `CreateStudentsBulk`. */
export const pascalCase = (name: string): string => wordsOf(name).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');

/** Returns the name in Python of a field; one that is reserved gets an underscore at its end. */
export const fieldName = (name: string): string => (reserved.has(name) ? `${name}_` : name);

/** Returns a Python literal of a text. */
export const pythonText = (value: string): string => JSON.stringify(value).replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A namespace of the client, and the word that its methods leave out because the namespace says it. */
interface Namespace {
  name: string;
  noun?: string;
}

/** The namespace of each tag; the feed of events has one of its own. */
export const namespaces: Record<string, Namespace> = {
  'Meta': { name: 'meta' },
  'Institution': { name: 'institution', noun: 'Institution' },
  'Students': { name: 'students', noun: 'Students?' },
  'Faculty': { name: 'faculty', noun: 'Faculty' },
  'Groups': { name: 'groups', noun: 'Groups?' },
  'Licenses': { name: 'licenses', noun: 'Licenses?' },
  'Exams': { name: 'exams', noun: 'Exams?' },
  'Exams (coding)': { name: 'exams', noun: 'Exams?' },
  'Submissions': { name: 'submissions', noun: 'Submissions?' },
  'Guardians': { name: 'guardians', noun: 'Guardians?' },
  'Alpha Learning': { name: 'alpha', noun: 'Alpha' },
  'Merits': { name: 'merits', noun: 'Merits?' },
  'Coupons': { name: 'coupons', noun: 'Coupons?' },
  'Events': { name: 'events', noun: 'Events?' },
  'Webhooks and events': { name: 'webhooks', noun: 'Webhooks?' },
  'Sandbox': { name: 'sandbox', noun: 'Sandbox' },
};

/** Where an operation is in the client: `students.create`. */
export interface MethodName {
  namespace: string;
  method: string;
}

/** What an operation's name follows from. */
interface Named {
  path: string;
  operation: { operationId: string; tags: readonly string[] };
}

/** Returns the name of an operation: its tag, and its id without the word that the tag says. A new tag is a namespace of its own. */
export function methodName({ path, operation: { tags, operationId } }: Named): MethodName {
  const tag = path.split('/')[1] === 'events' ? 'Events' : (tags[0] ?? '');
  const { name, noun } = namespaces[tag] ?? { name: snakeCase(tag) };
  const withoutNoun = noun === undefined ? operationId : operationId.replace(new RegExp(`(?<=[a-z])${noun}(?=[A-Z]|$)`), '');
  return { namespace: name, method: snakeCase(withoutNoun) };
}
