/** Returns words or clauses with commas between them, and `and` before the last one. */
export const joinWords = (words: readonly string[]): string => (words.length > 2 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}` : words.join(' and '));
