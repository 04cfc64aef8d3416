import { signInToConsole, type Supporter } from './console';
import { customerOfEachTest, type Customer } from './customerFixture';

/** What a hostile customer may have typed. */
export const hostile = '<script>alert("1")</script>';
/** The same as a page may show it. */
export const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;';

/** Somebody who is signed in to the console, and a customer, new for each test. */
export interface ConsoleDesk {
  customer: Customer;
  readonly supporter: Supporter;
  /** A page that is there, as text. */
  page(path: string): Promise<string>;
}

/** Starts an API for the tests of the file that calls it, signs in to its console, and has each test begin with a customer of its own. */
export function consoleDesk(): ConsoleDesk {
  const customer = customerOfEachTest();
  let supporter: Supporter;

  beforeAll(async () => {
    supporter = await signInToConsole(customer.api);
  });

  return {
    customer,
    get supporter() {
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
export const wordsOf = (text: string): string => text.replace(/^[\s\S]*<main/, '<main').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** The ids of the rows that a page lists, in their order. */
export const idsIn = (text: string): string[] => [...text.matchAll(/id="row-(\w+)"/g)].map(([, id]) => id ?? '');

/** So many minutes ago. */
export const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
