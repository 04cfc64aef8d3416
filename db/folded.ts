/** Returns the SQL of a text without its case and accents, so that "École" is found as "ecole". */
export const folded = (sql: string): string => `regexp_replace(normalize(lower(${sql}), NFD), '[\\u0300-\\u036f]', '', 'g')`;
