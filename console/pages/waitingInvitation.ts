import type { GuardianLinkStatus } from '../../domain/guardians/linkStatus';
import { html, type Html } from '../html';

/** Returns what is said of an invitation whose email is not sent while its student is suspended; null where it was accepted or has expired, or the student is not suspended. */
export const waitingInvitation = (status: GuardianLinkStatus, studentStatus: string): Html | null =>
  status === 'invited' && studentStatus === 'suspended' ? html`<span class="second">suspended: the email waits until the student is active again</span>` : null;
