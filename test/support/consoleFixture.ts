import { signInToConsole, type ConsoleSession } from './console';
import { apiFixture, type ApiFixture } from './apiFixture';
import { endpointForEachTest, type TestEndpoint } from './seed/endpoints';

/** Text that a hostile user may have typed. */
export const hostile = '<script>alert("1")</script>';
/** The same as a page may show it. */
export const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;';

/** An API fixture with an endpoint, new for each test, and a session of the console. */
export interface ConsoleFixture extends ApiFixture {
  readonly endpoint: TestEndpoint;
  readonly session: ConsoleSession;
  /** The text of an existing page. */
  page(path: string): Promise<string>;
}

/** Starts an API for the tests of the calling file and signs in to its console; each test begins with a new institution and endpoint. */
export function consoleFixture(): ConsoleFixture {
  const fixture = apiFixture();
  const endpoint = endpointForEachTest(fixture);
  let signedIn: ConsoleSession | undefined;

  const session = (): ConsoleSession => {
    if (signedIn === undefined) throw new Error('The session is opened before the first test');
    return signedIn;
  };

  beforeAll(async () => {
    signedIn = await signInToConsole(fixture.api);
  });

  return {
    ...fixture,
    endpoint,
    get session() {
      return session();
    },
    page: async (path) => {
      const { status, text } = await session().get(`/console${path}`);
      expect(status).toBe(200);
      return text;
    },
  };
}

/** The text of a page without markup, with single spaces. */
export const visibleText = (text: string): string => text.replace(/^[\s\S]*<main/, '<main').replaceAll('<wbr>', '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** The ids of the rows that a page lists, in order. */
export const rowIds = (text: string): string[] => [...text.matchAll(/id="row-(\w+)"/g)].map(([, id]) => id ?? '');
