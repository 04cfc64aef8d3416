import { bareText } from './bareText';

/** Characters of a TypeID after its prefix. */
const suffixLength = 26;

const wholeId = new RegExp(`^[a-z]+_[a-z0-9]{${suffixLength}}$`);

/** Whether a text is a whole TypeID. */
export const isWholeId = (text: string): boolean => wholeId.test(text);

const lengthOf = (id: string): number => id.length - id.indexOf('_') - 1;

const lengthText = (id: string): string => `The id has ${lengthOf(id)} of ${suffixLength} characters after its prefix${lengthOf(id) < suffixLength ? ': it was cut off' : ''}`;

/** Says of a TypeID that its length is not that of a whole one; undefined if it is. */
export const idLengthSentence = (id: string): string | undefined =>
  lengthOf(id) === suffixLength ? undefined : `${lengthText(id)}${lengthOf(id) < suffixLength ? ', and only whole ids are searched' : ''}.`;

/** Says the same of the first TypeID among some texts that is not whole. */
export const cutOffSentence = (texts: readonly string[]): string | undefined =>
  texts.filter((text) => /^[a-z]+_[a-z0-9]*$/.test(text)).map((id) => idLengthSentence(id)).find((sentence) => sentence !== undefined);

/** Says why a typed text can be no TypeID; undefined if it is a whole one, in any case. `what` names the id, `such` what is searched: `such as we_…; not names`. */
export function noWholeIdText(text: string, what: string, such: string): string | undefined {
  const bare = bareText(text);
  if (isWholeId(bare)) return undefined;
  const rule = `“${text}” is no ${what}: only whole ids are searched, ${such}.`;
  return /^[a-z]+_[a-z0-9]*$/.test(bare) ? `${rule} ${lengthText(bare)}.` : rule;
}
