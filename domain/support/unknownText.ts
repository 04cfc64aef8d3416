import { isIP } from 'node:net';
import { parseCode } from '../coupons/codes';
import { eventTypeNames } from '../events/eventTypes';

/** How one gets from a key, which is not searched, to its id. */
export const keyHint = 'An operator finds the id of a key by its last four characters: institution keys list <school>; so does the school, in its portal.';

/** The characters of an API key that its lists show. */
const lastFour = /^[a-z0-9]{4}$/;

const localPart = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z0-9-]*\d[a-z0-9-]*$/;

const couponHint =
  'If it is a coupon code: codes are not searched. The school reads those of a batch by GET /coupons/batches/cpb_…, and who redeemed which by GET /coupons/redemptions, with coupons:read; its events coupon.redeemed name the student and the batch. The student’s app got 404: the school has not issued this code. 409: it was redeemed or has expired; the message says which.';

/** Returns what a text may be that nothing was found for, and what to do then; undefined if its form does not say. */
export function unknownTextHint(text: string): string | undefined {
  if (isIP(text) !== 0) return 'This is an IP address: of those only a part of the URL of an endpoint is searched. The log lines of the service have no addresses: the calls from one are in the log of the proxy before it. Who signed in from where, or tried to, the school sees by person: GET /v1/students/stu_…/sign-ins.';
  if (eventTypeNames.some((name) => name === text)) return `${text} is an event type: the Events of an institution are filtered by it.`;
  if (parseCode(text) !== undefined) return couponHint;
  if (lastFour.test(text)) return `If it is the end of an API key: keys are not searched. ${keyHint}`;
  return localPart.test(text) ? 'If it is the part of a login email before its @: search the whole email.' : undefined;
}

/** What is searched by id alone, or not at all. */
export const notSearchedText =
  "The names of people, groups and exams are not searched, nor a student_id of the school's own, a coupon code or a part of an API key: ask for a login email or an id.";
