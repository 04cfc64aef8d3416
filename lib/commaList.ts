/** Returns the entries of a list with commas between them, trimmed, without empty ones. */
export const commaList = (value = ''): string[] => value.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
