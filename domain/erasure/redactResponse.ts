import { identifyingTexts, type ErasureSubject } from './subject';

/** What stands where a value was. */
const erased = 'erased';

/** Fields whose values are words of the API. */
const wordFields: ReadonlySet<string> = new Set(['app', 'kind', 'license_type', 'guardian_type', 'exam_type', 'status', 'store', 'type', 'user_type', 'workflow_id']);

const keptShape = /^(?:[a-z]+_[0-9a-hjkmnp-tv-z]{26}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?)$/;

/**
 * Returns a stored response, as JSON text, without what it says of a person; its shape stays. Texts that identify the person are
 * replaced everywhere; of an object that has one of the ids, only ids, times and words of the API stay.
 */
export function redactResponse(response: string, subject: ErasureSubject): string {
  const ids = new Set(subject.ids);
  const texts = identifyingTexts(subject).filter((text) => !ids.has(text) && text !== subject.loginEmail?.former);
  const replaced = (text: string): string => {
    const renamed = subject.loginEmail === null ? text : text.replaceAll(subject.loginEmail.former, subject.loginEmail.replacement);
    return texts.reduce((left, one) => left.replaceAll(one, erased), renamed);
  };
  const redact = (value: unknown, field: string, isAbout: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => redact(one, field, isAbout));
    if (typeof value === 'string') {
      const isKept = !isAbout || wordFields.has(field) || keptShape.test(value) || value.includes('@') && value === subject.loginEmail?.former;
      return isKept ? replaced(value) : erased;
    }
    if (typeof value !== 'object' || value === null) return value;
    const namesPerson = isAbout || Object.values(value).some((one: unknown) => typeof one === 'string' && ids.has(one));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redact(one, name, namesPerson)]));
  };
  return JSON.stringify(redact(parseJson(response), '', false));
}

/** Parses JSON. Errors of JSON contain the text, which must not reach a workflow, so they are not passed on. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('A stored response is not JSON');
  }
}
