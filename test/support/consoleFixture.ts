import { signInToConsole, type ConsoleSession } from './console';
import { customerFixtureForEachTest, type CustomerFixture } from './customerFixture';

/** What a hostile customer may have typed. */
export const hostile = '<script>alert("1")</script>';
/** The same as a page may show it. */
export const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;';

/** Somebody who is signed in to the console, and a customer, new for each test. */
export interface ConsoleFixture {
  customer: CustomerFixture;
  readonly session: ConsoleSession;
  /** A page that is there, as text. */
  page(path: string): Promise<string>;
}

/** Starts an API for the tests of the file that calls it, signs in to its console, and has each test begin with a customer of its own. */
export function consoleFixtureForEachTest(): ConsoleFixture {
  const customer = customerFixtureForEachTest();
  let supporter: ConsoleSession;

  beforeAll(async () => {
    supporter = await signInToConsole(customer.api);
  });

  return {
    customer,
    get session() {
      return supporter;
    },
    page: async (path) => {
      const { status, text } = await supporter.get(`/console${path}`);
      expect(status).toBe(200);
      return text;
    },
  };
}

/** What a page says, without markup and with single blanks. */
export const visibleText = (text: string): string => text.replace(/^[\s\S]*<main/, '<main').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** The ids of the rows that a page lists, in their order. */
export const rowIds = (text: string): string[] => [...text.matchAll(/id="row-(\w+)"/g)].map(([, id]) => id ?? '');
