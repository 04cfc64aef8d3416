import { commandLine, type CommandLine } from './commandLine';
import type { TestApi } from './api';

/** The command line of an integrator, who has a key. */
export const keyCommandLine = (api: TestApi, key: string, environment: Record<string, string> = {}): CommandLine => commandLine({ BASE_URL: api.baseUrl, API_KEY: key, ...environment });

/** The JSON documents among the lines that a command has written so far. */
export const jsonLines = <Item>(text: string): Item[] => text.split('\n').filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
