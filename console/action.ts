import type { ConsoleRequest, Page } from './consoleRequest';

/** The result of an action: the page that follows with a message on it, or a page that is shown this once. */
export type ActionResult = { to: string; text: string } | { page: Page };

/** What a button does. An error of a rule is shown on the page at `returnPath`. */
export interface Action {
  path: string;
  /** Refused to any other role. */
  isForOperators?: true;
  returnPath: (id: string) => string;
  run: (request: ConsoleRequest, form: URLSearchParams) => Promise<ActionResult>;
}
