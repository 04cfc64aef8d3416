import type { Option } from 'commander';
import { collectPatterns } from './eventTypes';
import { collectList } from './options';

/** What collects the values of options that may be repeated. */
const collectors: ReadonlySet<unknown> = new Set([collectList, collectPatterns]);

/** Whether an option takes several values: repeated, or with commas between them. */
export const isListOption = ({ parseArg }: Option): boolean => collectors.has(parseArg);
