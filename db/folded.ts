/** Returns the SQL of a text without its case and accents, so that "École" is found as "ecole"; the same as `foldedName`. */
export const folded = (sql: string): string =>
  `replace(replace(replace(replace(translate(regexp_replace(normalize(lower(${sql}), NFD), '[\\u0300-\\u036f]', '', 'g'), 'łøđðħŧı', 'loddhti'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')`;
