import { ApiKeyEntity } from './apiKey';
import { EndpointEntity } from './endpoint';
import { InstitutionEntity } from './institution';
import { LicenseEntity } from './license';
import { SessionEntity } from './session';
import { SignInCodeEntity } from './signInCode';
import { UserEntity } from './user';

/** Every entity: columns only, no cascades, no hooks, no eager relations. */
export const entities = [
  ApiKeyEntity,
  EndpointEntity,
  InstitutionEntity,
  LicenseEntity,
  SessionEntity,
  SignInCodeEntity,
  UserEntity,
];
