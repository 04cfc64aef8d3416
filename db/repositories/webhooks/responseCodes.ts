import type { Condition } from '../../page';

/** A status code, or a class such as `5xx`. */
export const responseCodePattern = /^(?:[1-9][0-9]{2}|[1-5]xx)$/;

/**
 * The conditions of a response code or a class on a column. A class, and the class of a code, is written as the index of failed
 * responses is: of other responses a page reads the list itself, which is full of them.
 */
export function responseCodeConditions(column: string, wanted: string | undefined): Condition[] {
  if (wanted === undefined) return [];
  const firstDigit = Number(wanted[0]);
  const ofClass = { sql: `${firstDigit >= 3 ? `${column} >= 300 AND ` : ''}${column} / 100 = $`, value: firstDigit };
  return wanted.endsWith('xx') ? [ofClass] : [ofClass, { sql: `${column} = $`, value: Number(wanted) }];
}
