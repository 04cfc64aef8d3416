/** Characters whose stroke or ligature Unicode does not decompose, and how they are typed without it. */
export const plainCharacters: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Returns a name without its case and accents, as the database compares names: "École" as "ecole", "Łódź" as "lodz". */
export const foldedName = (name: string): string =>
  Object.entries(plainCharacters).reduce((text, [character, plain]) => text.replaceAll(character, plain), name.toLowerCase().normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''));
