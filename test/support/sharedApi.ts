import { startApi, type RunningApi } from '../../api/start';
import { createLogger } from '../../config/logger';
import type { Settings } from '../../config/settings';
import { startTestApi, type TestApi, type TestInstitution } from './api';

/**
 * An API for the tests of the file that calls it: started before the first of them, with what the file says of its
 * settings by then, and stopped after the last. What is answered stands for it, and tells nothing until it runs.
 */
export function apiForAllTests(overrides: () => Partial<Settings> = () => ({})): TestApi {
  let started: TestApi;

  beforeAll(async () => {
    started = await startTestApi(overrides());
  });

  afterAll(() => started.stop());

  return {
    get api() {
      return started.api;
    },
    get stack() {
      return started.stack;
    },
    get settings() {
      return started.settings;
    },
    get baseUrl() {
      return started.baseUrl;
    },
    get platformUrl() {
      return started.platformUrl;
    },
    get served() {
      return started.served;
    },
    call: (...asked) => started.call(...asked),
    platform: (...asked) => started.platform(...asked),
    institution: (granted) => started.institution(granted),
    keyFor: (...asked) => started.keyFor(...asked),
    stop: () => started.stop(),
  };
}

/** An API, and where a second process of the same service listens. */
export interface TwoApis {
  readonly api: TestApi;
  readonly secondPort: number;
}

/** As {@link apiForAllTests}, with a second process beside it. */
export function twoApisForAllTests(): TwoApis {
  let second: RunningApi;

  // Hooks run in the order in which they are written: the second is gone before what both stand on.
  afterAll(() => second.stop());

  const api = apiForAllTests();

  beforeAll(async () => {
    second = await startApi(api.settings, createLogger('api', 'silent'));
  });

  return {
    api,
    get secondPort() {
      return second.port;
    },
  };
}

/** One institution for all tests of the file; it stands for the one that is made before the first of them. */
export const institutionForAllTests = (api: TestApi): TestInstitution => institutionFrom(beforeAll, api);

/** The same, with a new one as each test begins. */
export const institutionForEachTest = (api: TestApi): TestInstitution => institutionFrom(beforeEach, api);

function institutionFrom(beginning: typeof beforeAll, api: TestApi): TestInstitution {
  let made: TestInstitution;

  beginning(async () => {
    made = await api.institution();
  });

  return {
    get id() {
      return made.id;
    },
    get adminId() {
      return made.adminId;
    },
    get adminLoginEmail() {
      return made.adminLoginEmail;
    },
    get loginDomain() {
      return made.loginDomain;
    },
    get apiKey() {
      return made.apiKey;
    },
    get keyId() {
      return made.keyId;
    },
    get caller() {
      return made.caller;
    },
  };
}
