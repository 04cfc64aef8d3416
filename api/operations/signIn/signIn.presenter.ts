import type { SignedIn } from '../../../domain/signIn/completeSignIn';
import type { SignedInUserResponse } from './signIn.schemas';

/** The person who has signed in. */
export const presentSignedInUser = ({ id, kind, loginEmail, fullName, status }: SignedIn['user']): SignedInUserResponse => ({
  id,
  kind,
  login_email: loginEmail,
  full_name: fullName,
  status,
});
